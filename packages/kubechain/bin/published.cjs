#!/usr/bin/env node
// The command of the published package. Plain JavaScript that any Node can read, so that an old one says what is wrong.
'use strict';

var parts = process.versions.node.split('.').map(Number);
if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 13)) {
  process.stderr.write('kubechain needs Node 22.13 or later; this is ' + process.version + '\n');
  process.exit(1);
}

var module_ = require('node:module');
var path = require('node:path');
// What Node makes of our files is kept beside them, or, where nothing can be written, in Node's own place.
if (module_.enableCompileCache(path.join(__dirname, '../dist/compiled')).status === 0) module_.enableCompileCache();
import('../dist/cli.js')
  .then(function (cli) {
    return cli.main(process.argv.slice(2));
  })
  .then(function (code) {
    process.exitCode = code;
  });
