//! What a child that judges hands to whoever waits for it.

use herm_runtime::adapters::Reply;

/// A reply as bytes: how it ends, how much is for which stream, and that. Whatever is cut off is noticed.
pub(super) fn pack(reply: &Reply) -> Vec<u8> {
    let length = |text: &str| u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes();
    let (out, err) = (length(&reply.stdout), length(&reply.stderr));
    [&[reply.exit], &out[..], &err[..], reply.stdout.as_bytes(), reply.stderr.as_bytes()].concat()
}

/// What was packed, if all of it came.
pub(super) fn unpack(packed: &[u8]) -> Option<Reply> {
    let (&exit, rest) = packed.split_first()?;
    let (out, rest) = rest.split_first_chunk()?;
    let (err, rest) = rest.split_first_chunk()?;
    let length = |bytes: &[u8; 8]| usize::try_from(u64::from_be_bytes(*bytes)).ok();
    let (stdout, stderr) = rest.split_at_checked(length(out)?)?;
    if stderr.len() != length(err)? {
        return None;
    }
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    Some(Reply { stdout: text(stdout)?, stderr: text(stderr)?, exit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_and_nothing_less_or_more() {
        for (stdout, stderr, exit) in [("", "", 0), ("out", "", 1), ("", "err", 2), ("o\0", "ö", 255)] {
            let reply = Reply { stdout: stdout.to_owned(), stderr: stderr.to_owned(), exit };
            let packed = pack(&reply);
            let unpacked = unpack(&packed).unwrap();
            assert_eq!((unpacked.stdout, unpacked.stderr, unpacked.exit), (reply.stdout, reply.stderr, exit));
            for less in 0..packed.len() {
                assert!(unpack(packed.get(..less).unwrap()).is_none(), "{less}");
            }
            assert!(unpack(&[packed.as_slice(), b"x"].concat()).is_none());
        }
    }
}
