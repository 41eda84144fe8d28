#!/bin/sh
# Written by `herm init`, which also takes it away: `herm uninit cline`.
# herm-command: @line@
exec @line@
