/**
 * What a tenant costs: `node --expose-gc bench/src/tenants.ts [TENANTS]` makes so many in one chain, each with a
 * namespace's config map that is written and read by its own port, and prints a line of JSON.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { request as callSocket } from 'node:http';
import { request as callServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startAllInOne } from 'kubechain/all-in-one';

interface TenantFacts {
  readonly url: string;
  readonly token: string;
}

/** Processor time and memory, a tenant. */
export interface TenantFigures {
  readonly tenants: number;
  /** Until it is there. */
  readonly madeProcessorMs: number;
  /** Its first write and read, with the caches and handlers that they make. */
  readonly usedProcessorMs: number;
  /** Heap and buffers after a collection, before anybody uses it and after. */
  readonly madeMB: number;
  readonly usedMB: number;
  readonly residentMB: number;
  /** Of a second in which nobody asks for anything. */
  readonly idleMicroseconds: number;
}

/** Before the figures: what the first of all loads and compiles. */
const warmUp = 5;
const settlingMs = 1_000;
const idleMs = 3_000;
const collect = (globalThis as { readonly gc?: () => void }).gc;

function processorMs(): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1000;
}

async function heldMB(): Promise<number> {
  await delay(settlingMs);
  collect?.();
  collect?.();
  const { external, heapUsed } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

function answerOf<T>(call: ReturnType<typeof callSocket>, body: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    call.once('error', reject);
    call.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(text) as T);
        else reject(new Error(`${response.statusCode}: ${text}`));
      });
    });
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function measure(tenants: number): Promise<TenantFigures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kubechain-tenants-'));
  const socketPath = join(dataDir, 'run', 'control.sock');
  const chain = await startAllInOne({ dataDir, memory: true, flags: [`--control-listen=unix:${socketPath}`] });
  try {
    const make = (name: string): Promise<TenantFacts> =>
      answerOf(callSocket({ socketPath, method: 'POST', path: '/v1/tenants', agent: false }), { name });
    const ask = ({ token, url }: TenantFacts, method: string, path: string, body?: unknown): Promise<unknown> =>
      answerOf(
        callServer(`${url}${path}`, {
          method,
          ca: chain.caCertificate,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        }),
        body,
      );
    const use = async (tenant: TenantFacts): Promise<void> => {
      const path = '/api/v1/namespaces/default/configmaps';
      await ask(tenant, 'POST', path, { metadata: { name: 'used' } });
      await ask(tenant, 'GET', `${path}/used`);
    };
    for (let i = 0; i < warmUp; i++) await use(await make(`first-${i}`));
    const facts: TenantFacts[] = [];
    const [emptyMB, emptyResident] = [await heldMB(), process.memoryUsage().rss];
    let startedMs = processorMs();
    for (let i = 0; i < tenants; i++) facts.push(await make(`tenant-${i}`));
    const madeMs = processorMs() - startedMs;
    const madeMB = (await heldMB()) - emptyMB;
    startedMs = processorMs();
    for (const tenant of facts) await use(tenant);
    const usedMs = processorMs() - startedMs;
    const usedMB = (await heldMB()) - emptyMB;
    const resident = process.memoryUsage().rss - emptyResident;
    startedMs = processorMs();
    await delay(idleMs);
    const idle = processorMs() - startedMs;
    const each = (value: number): number => Math.round((value / tenants) * 100) / 100;
    return {
      tenants,
      madeProcessorMs: each(madeMs),
      usedProcessorMs: each(usedMs),
      madeMB: each(madeMB),
      usedMB: each(usedMB),
      residentMB: each(resident / 1e6),
      idleMicroseconds: Math.round((idle * 1e6) / idleMs / tenants),
    };
  } finally {
    await chain.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

console.log(JSON.stringify(await measure(Number(process.argv[2] ?? 100))));
