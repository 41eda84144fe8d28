//! What a program says: kept within bounds, and free of what a terminal would obey.

#![forbid(unsafe_code)]
