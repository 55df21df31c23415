/**
 * What the control API costs a request, where it is served and where it is not: `node bench/src/control-cost.ts
 * [ROUNDS]` runs three chains on one thread, two without it and one with it, asks them in turns, and prints ratios of
 * processor time, client included. Two chains without it tell how far figures differ by chance.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAllInOne, type AllInOne } from 'kubechain/all-in-one';
import { printTable } from './storage/table.ts';

const rounds = Number(process.argv[2] ?? 15);
const requestsOfRound = 200;
const configMaps = '/api/v1/namespaces/default/configmaps';
const token = 'bench';

class Chain {
  readonly #running: AllInOne;
  readonly #agent = new Agent({ keepAlive: true });
  #last = 0;

  constructor(running: AllInOne) {
    this.#running = running;
  }

  static async start(control: boolean, folder: string): Promise<Chain> {
    const dataDir = mkdtempSync(join(folder, 'chain-'));
    const tokens = join(dataDir, 'tokens.csv');
    writeFileSync(tokens, `${token},admin,admin,system:masters\n`, { mode: 0o600 });
    const flags = [
      `--token-auth-file=${tokens}`,
      ...(control ? [`--control-listen=unix:${join(dataDir, 'control.sock')}`] : []),
    ];
    return new Chain(await startAllInOne({ dataDir, memory: true, flags }));
  }

  async ask(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<void> {
    const { caCertificate, url } = this.#running;
    const headers = { authorization: `Bearer ${token}`, 'content-type': contentType };
    const call = request(`${url}${path}`, { method, agent: this.#agent, ca: caCertificate, headers });
    call.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    if ((response.statusCode ?? 500) >= 300) throw new Error(`${method} ${path}: ${response.statusCode}`);
  }

  create(): Promise<void> {
    return this.ask('POST', configMaps, { metadata: { name: `made-${++this.#last}` }, data: { a: 'b' } });
  }

  close(): Promise<void> {
    this.#agent.destroy();
    return this.#running.close();
  }
}

const rows: readonly (readonly [name: string, call: (chain: Chain, i: number) => Promise<void>])[] = [
  ['get', (chain) => chain.ask('GET', `${configMaps}/kept`)],
  ['list', (chain) => chain.ask('GET', '/api/v1/namespaces')],
  ['create', (chain) => chain.create()],
  [
    'patch',
    (chain, i) => chain.ask('PATCH', `${configMaps}/kept`, { data: { i: String(i) } }, 'application/merge-patch+json'),
  ],
];

async function microsOf(chain: Chain, call: (typeof rows)[number][1]): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < requestsOfRound; i++) await call(chain, i + Math.floor(before.user));
  const { system, user } = process.cpuUsage(before);
  return (system + user) / requestsOfRound;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

const folder = mkdtempSync(join(tmpdir(), 'kubechain-control-'));
try {
  const chains = [await Chain.start(false, folder), await Chain.start(false, folder), await Chain.start(true, folder)];
  for (const chain of chains) await chain.ask('POST', configMaps, { metadata: { name: 'kept' } });
  const table = [['', 'µs without', 'without / without', 'with / without']];
  for (const [name, call] of rows) {
    for (const chain of chains) await microsOf(chain, call);
    const rounded: number[][] = [];
    for (let round = 0; round < rounds; round++) {
      const micros: number[] = [];
      // Who is first in a round changes.
      for (let i = 0; i < chains.length; i++) {
        const at = (round + i) % chains.length;
        micros[at] = await microsOf(chains[at]!, call);
      }
      rounded.push(micros);
    }
    const ratio = (at: number): string => median(rounded.map((micros) => micros[at]! / micros[0]!)).toFixed(3);
    table.push([name, median(rounded.map(([first]) => first!)).toFixed(0), ratio(1), ratio(2)]);
  }
  printTable(table);
  for (const chain of chains) await chain.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
