#!/usr/bin/env node
// The command of the published package. Plain JavaScript that any Node can read, so that an old one says what is wrong.
'use strict';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write('kubechain needs Node 22.19 or later; this is ' + process.version + '\n');
  process.exit(1);
}

const node = require('node:module');
const path = require('node:path');
// What Node makes of our files is kept beside them, or, where nothing can be written, in Node's own place.
if (node.enableCompileCache(path.join(__dirname, '../dist/compiled')).status === 0) node.enableCompileCache();
void import('../dist/cli.js')
  .then(function (cli) {
    return cli.main(process.argv.slice(2));
  })
  .then(function (code) {
    process.exitCode = code;
  });
