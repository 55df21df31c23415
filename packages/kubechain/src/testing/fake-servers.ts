import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CONTROLLERS_NAME,
  SERVER_NAMES,
  type ControllersProcess,
  type ServerProcess,
} from '../chain/server-process.ts';

const text = { isBoolean: false };
const boolean = { isBoolean: true };
const COMMON = [
  'etcd-servers',
  'bind-address',
  'secure-port',
  'tls-cert-file',
  'tls-private-key-file',
  'client-ca-file',
  'token-auth-file',
  'disable-admission-plugins',
  'delegate-listen',
  'delegate',
  'v',
];

/** Three servers that are not there, in files of a directory; `main` must know its own name, which a real one does. */
export function fakeServers(directory: string): ServerProcess[] {
  return SERVER_NAMES.map((name) => {
    const main = fakeMain(directory, name);
    const flags = new Map([
      ...COMMON.map((flag) => [flag, text] as const),
      ['fail', text] as const,
      ['say', text] as const,
      ['never-ready', boolean] as const,
      ['never-whole', boolean] as const,
      ...(name === 'aggregator'
        ? [['proxy-client-cert-file', text] as const, ['enable-aggregator-routing', boolean] as const]
        : []),
    ]);
    return { name, main, flags };
  });
}

/** As fakeServers. */
export function fakeControllers(directory: string): ControllersProcess {
  const flags = ['controllers', 'kubeconfig', 'secure-port', 'root-ca-file', 'v'].map((flag) => [flag, text] as const);
  return { name: CONTROLLERS_NAME, main: fakeMain(directory, CONTROLLERS_NAME), flags: new Map(flags) };
}

function fakeMain(directory: string, name: string): string {
  const fake = new URL('./fake-server.ts', import.meta.url).href;
  const main = join(directory, `${name}.mjs`);
  writeFileSync(main, `process.argv.splice(2, 0, ${JSON.stringify(name)});\nawait import(${JSON.stringify(fake)});\n`);
  return main;
}

/** One line of what the fakes noted. */
export interface JournalEntry {
  readonly name: string;
  readonly event: 'start' | 'stop';
  readonly pid: number;
  readonly args: readonly string[];
}

export function readJournal(path: string): JournalEntry[] {
  try {
    return readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JournalEntry);
  } catch {
    return [];
  }
}

export const FAKE_SUPERVISOR = fileURLToPath(new URL('./fake-supervisor.ts', import.meta.url));
