import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { latencyBoundsMs, type LoadMessage, type RequestMessage } from '@kubechain/apiserver/observe';
import { startChain, type Chain } from '../harness/chain.ts';

const servers = ['aggregator', 'kube-apiserver', 'apiextensions'];
/** How often lines are told: ten times a second, as processes do. */
const tellEveryMs = 100;

/**
 * A chain whose processes are spoken for: what its page is told comes from here, at whatever rate the test says. All
 * else, from the launcher on, is as it is.
 */
export class ToldChain {
  readonly #processes = new Map<string, { readonly server: Server; readonly listeners: Set<ServerResponse> }>();
  #chain: Chain | undefined;
  /** Requests that were told of. */
  told = 0;

  /** Resolves to the page's address. */
  async start(): Promise<string> {
    this.#chain = await startChain({ flags: ['--ui'] });
    for (const name of servers) {
      const listeners = new Set<ServerResponse>();
      const server = createServer((_request, response) => {
        response.flushHeaders();
        listeners.add(response);
        response.once('close', () => listeners.delete(response));
      });
      const path = join(this.#chain.dataDir, 'run', `${name}.observe.sock`);
      // The process goes on to listen to a socket that nobody finds.
      rmSync(path);
      server.listen(path);
      await once(server, 'listening');
      this.#processes.set(name, { server, listeners });
    }
    return /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(this.#chain.output())?.[0] ?? '';
  }

  /** Tells of so many requests a second for so long, each line of each, as two processes saw it. */
  async tell(perSecond: number, ms: number): Promise<void> {
    const startedMs = performance.now();
    const before = this.told;
    for (let round = 1; round <= ms / tellEveryMs; round++) {
      const due = before + Math.round((perSecond * round * tellEveryMs) / 1_000);
      for (const name of ['kube-apiserver', 'aggregator']) {
        let lines = '';
        for (let i = this.told; i < due; i++) lines += `${JSON.stringify(requestOf(i, name))}\n`;
        this.#say(name, lines);
      }
      this.told = due;
      if (round % (1_000 / tellEveryMs) === 0)
        for (const name of servers) this.#say(name, `${JSON.stringify(loadOf(perSecond))}\n`);
      const restMs = startedMs + round * tellEveryMs - performance.now();
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, restMs)));
    }
  }

  async close(): Promise<void> {
    for (const { server } of this.#processes.values()) {
      server.close();
      server.closeAllConnections();
    }
    await this.#chain?.stop();
  }

  #say(name: string, text: string): void {
    for (const listener of this.#processes.get(name)?.listeners ?? []) listener.write(text);
  }
}

function requestOf(i: number, process: string): RequestMessage {
  const name = `told-${i}`;
  return {
    kind: 'request',
    auditID: name,
    startedMs: i / 10,
    durationMs: 1 + (i % 7),
    method: 'GET',
    uri: `/api/v1/namespaces/default/configmaps/${name}`,
    verb: 'get',
    group: '',
    version: 'v1',
    resource: 'configmaps',
    namespace: 'default',
    name,
    user: 'kubernetes-admin',
    groups: ['system:masters'],
    userAgent: 'told',
    client: '127.0.0.1:1',
    code: i % 50 === 0 ? 404 : 200,
    complete: true,
    delegate: process === 'aggregator' ? 'kube-apiserver' : '',
    queuedMs: 0,
    requestBytes: 0,
    accept: 'application/json',
    contentType: '',
  };
}

function loadOf(perSecond: number): LoadMessage {
  return {
    kind: 'load',
    pid: 100,
    uptimeSeconds: 10,
    node: 'v24',
    rssBytes: 100_000_000,
    heapUsedBytes: 50_000_000,
    externalBytes: 1_000_000,
    processor: 0.9,
    busy: 0.9,
    delayMs: [0.1, 1, 3],
    ended: { get: perSecond },
    failed: perSecond / 50,
    broken: 0,
    latencies: [...latencyBoundsMs, 0].map((_, i) => (i === 5 ? perSecond : 0)),
    caches: { objects: 1_000, events: 5_000, capacity: 10_000 },
    untold: 0,
  };
}
