//! On what terms connections are made.

use std::fmt;
use std::sync::Arc;

use crate::consent::Ask;
use crate::judge::Judge;
use crate::limits::Limits;
use crate::resolve::{Resolve, System};

/// On what terms connections are made.
#[derive(Clone)]
pub struct Terms {
    pub(crate) judge: Arc<dyn Judge>,
    pub(crate) ask: Option<Ask>,
    pub(crate) resolve: Arc<dyn Resolve>,
    pub(crate) limits: Limits,
}

impl Terms {
    /// What a judge allows; nobody is asked, and names are looked up as this machine does.
    #[must_use]
    pub fn new(judge: Arc<dyn Judge>) -> Self {
        Self { judge, ask: None, resolve: Arc::new(System), limits: Limits::default() }
    }

    /// The same with somebody who can be asked.
    #[must_use]
    pub fn asking(self, ask: Ask) -> Self {
        Self { ask: Some(ask), ..self }
    }

    /// The same with other limits.
    #[must_use]
    pub fn limited(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The same with another resolver.
    #[must_use]
    pub fn resolving(self, resolve: Arc<dyn Resolve>) -> Self {
        Self { resolve, ..self }
    }
}

impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terms")
            .field("asks", &self.ask.is_some())
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
