#!/bin/sh
# runc for containers that ask for every capability where the machine itself lacks one (CAP_SYS_RESOURCE, as in small
# virtual machines): takes that one off what they ask for. Docker runs it in the place of runc.
set -eu
bundle=.
previous=
for argument in "$@"; do
  case $previous in
    --bundle | -b) bundle=$argument ;;
    # What is run in a container later has a file of its own.
    --process | -p) process=$argument ;;
  esac
  previous=$argument
done
for file in "$bundle/config.json" "${process:-}"; do
  [ -f "$file" ] || continue
  sed -i -e 's/"CAP_SYS_RESOURCE",//g' -e 's/,"CAP_SYS_RESOURCE"//g' "$file"
done
exec runc "$@"
