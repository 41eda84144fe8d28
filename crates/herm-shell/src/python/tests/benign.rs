//! Ordinary programs, of which nothing alarming may be said.

use super::recorder::said;

#[test]
fn a_function_that_is_never_called_does_nothing() {
    assert!(said("import shutil\ndef clean(path):\n    shutil.rmtree(path)\n").is_empty());
}

#[test]
fn the_environment_may_be_handed_on() {
    let program = "import os, subprocess\nenv = {**os.environ, 'A': '1'}\nsubprocess.run(['make'], env=env)\n\
                   e = os.environ.copy()\ne['B'] = '2'\nsubprocess.run(['ls'], env=e, check=True)\nsubprocess.run(['id'], env=dict(os.environ, X='1'))\n";
    assert_eq!(said(program), ["run make", "run ls", "run id"]);
}

#[test]
fn printing_and_computing_are_silent() {
    let program = "import json, sys, re, math, collections\nfrom dataclasses import dataclass\n\
                   @dataclass\nclass Point:\n    x: int\n    y: int = 0\n\
                   def area(points):\n    return sum(p.x * p.y for p in points)\n\
                   data = json.loads('{\"a\": [1, 2, 3]}')\n\
                   for key, value in sorted(data.items()):\n    print(f'{key:>10}: {value!r}')\n\
                   print(area([Point(1, 2)]), math.pi, re.sub('a', 'b', 'cab'), file=sys.stderr)\n\
                   counter = collections.Counter('hello')\nprint(counter.most_common(1))\n";
    assert!(said(program).is_empty(), "{:?}", said(program));
}

#[test]
fn a_narrowed_deletion_says_what_it_deletes() {
    let program = "import os\nfor root, dirs, files in os.walk('build'):\n    for name in files:\n        \
                   if name.endswith('.pyc'):\n            os.remove(os.path.join(root, name))\n";
    assert_eq!(said(program), ["Delete build/**/*.pyc"]);
    let program = "import os\nfor name in os.listdir('build'):\n    if not name.endswith('.o'):\n        continue\n    os.remove('build/' + name)\n";
    assert_eq!(said(program), ["Delete build/*.o"]);
}

#[test]
fn a_temporary_directory_is_known_as_one() {
    let program = "import tempfile, shutil\nd = tempfile.mkdtemp()\nshutil.rmtree(d)\n";
    assert_eq!(
        said(program),
        ["Write /tmp/tmp00000001 (metadata) (fresh)", "Delete /tmp/tmp00000001 (recursive)"]
    );
}

#[test]
fn what_stands_beside_the_script_is_taken_to_be_in_the_workspace() {
    let program = "from pathlib import Path\nimport shutil\nROOT = Path(__file__).resolve().parent\nshutil.rmtree(ROOT / 'dist')\n";
    assert_eq!(said(program), ["Delete /home/user/project/dist (recursive)"]);
}

#[test]
fn loops_do_not_repeat_themselves() {
    let program = "import subprocess\nfor _ in range(40):\n    subprocess.run(['ls', '-l'])\n";
    assert_eq!(said(program), ["run ls -l"]);
}

#[test]
fn a_server_that_forks_for_each_client_is_no_bomb() {
    let program = "import os, socket\ns = socket.socket()\ns.bind(('', 80))\ns.listen()\nwhile True:\n    c, a = s.accept()\n    os.fork()\n";
    assert_eq!(said(program), ["Listen :80"]);
}

#[test]
fn a_decided_condition_follows_one_way() {
    assert!(said("import os\nif False:\n    os.remove('/x')\n").is_empty());
    assert_eq!(
        said("import os\nDEBUG = True\nif DEBUG:\n    os.remove('/a')\nelse:\n    os.remove('/b')\n"),
        ["Delete /a"]
    );
}

#[test]
fn a_counter_of_an_uncounted_loop_decides_nothing() {
    let program =
        "import os, sys\nn = 0\nfor line in sys.stdin:\n    n += 1\nif n == 3:\n    os.remove('/x')\n";
    assert_eq!(said(program), ["Delete /x"]);
}

#[test]
fn clients_that_only_look_say_nothing_alarming() {
    for program in [
        "import redis\nprint(redis.Redis().get('k'))",
        "import psutil\nfor p in psutil.process_iter(['pid']):\n    print(p.info, p.name())",
        "import psutil\nfor child in psutil.Process().children(recursive=True):\n    child.kill()",
        "import docker\nprint([c.name for c in docker.from_env().containers.list()])",
        "from kubernetes import client\nprint(client.CoreV1Api().list_namespace().items)",
        "from a.models import U\nU.objects.filter(id=3).delete()",
        "from a.models import U\nU.objects.all().filter(id=3).delete()",
        "from a.models import U\nfor o in U.objects.all():\n    if o.old: o.delete()",
        "from a.models import U\nprint(U.objects.all().order_by('x').count())",
        "import pymongo\nprint(pymongo.MongoClient().app.users.count_documents({}))",
        "import boto3\nboto3.client('sts').assume_role(RoleArn='r', RoleSessionName='s')",
    ] {
        assert!(said(program).is_empty(), "{program}: {:?}", said(program));
    }
}
