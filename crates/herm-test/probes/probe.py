"""Tries one way out of a sandbox: `probe.py GROUP NAME FACTS`.

FACTS is JSON: where things are that must be out of reach. A probe that returns has got out, one that raises an `OSError` or
`Refused` was kept in. Exit codes: 0 out, 1 kept in, 2 the kernel lacks what is tried, 3 the probe itself broke.
"""

import errno
import json
import os
import sys
import traceback

import trying


def main():
    group, name, facts = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    facts["guardian"] = facts["guardian"] or os.getppid()
    __import__(group)
    try:
        said = trying.PROBES[name](facts)
    except trying.Lacking as lacking:
        return finish(2, lacking)
    except (OSError, trying.Refused) as refused:
        return finish(2 if facts["control"] and is_missing(refused) else 1, refused)
    except BaseException:  # noqa: B902 - whatever it is, it is no refusal
        return finish(3, traceback.format_exc())
    return finish(0, said)


def is_missing(error):
    """Whether an error says that there is no such thing."""
    return getattr(error, "errno", None) in (errno.ENOENT, errno.ENOSYS, errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT)


def finish(code, said):
    print(" ".join(str(said).split())[:300], flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
