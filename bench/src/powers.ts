/**
 * How long what only a test server has takes: `node bench/src/powers.ts [ROUNDS]` puts back a state of 1,000 objects,
 * forks an environment and judges 500 files, and prints a line of JSON: the least of so many rounds, in milliseconds,
 * and the least processor time of this process, which other programs on the machine change less.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { startTestEnvironment } from 'kubechain/testing';

const objects = 1_000;
const files = 500;
const rounds = Number(process.argv[2] ?? 5);
const configMaps = '/api/v1/namespaces/default/configmaps';
const agent = new Agent({ keepAlive: true });

interface Place {
  readonly url: string;
  readonly caCertificate: string;
  readonly adminToken: string | undefined;
}

async function ask(
  { adminToken, caCertificate, url }: Place,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  const call = request(`${url}${path}`, { method, agent, ca: caCertificate, headers });
  call.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const answer = await text(response);
  if ((response.statusCode ?? 500) >= 300) throw new Error(answer);
  return answer;
}

interface Least {
  readonly ms: number;
  readonly processorMs: number;
}

async function least(
  work: () => Promise<void>,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<Least> {
  let [ms, processorMs] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    await prepare();
    const [startedAt, before] = [performance.now(), process.cpuUsage()];
    await work();
    const { system, user } = process.cpuUsage(before);
    ms = Math.min(ms, performance.now() - startedAt);
    processorMs = Math.min(processorMs, (system + user) / 1000);
  }
  return { ms: Math.round(ms * 10) / 10, processorMs: Math.round(processorMs * 10) / 10 };
}

async function measureEnvironment(): Promise<{ readonly restore: Least; readonly fork: Least }> {
  await using env = await startTestEnvironment({ control: true });
  for (let i = 0; i < objects; i++)
    await ask(env, 'POST', configMaps, { metadata: { name: `boat-${i}` }, data: { sails: 'up' } });
  await env.snapshots.save('fleet');
  const count = async (place: Place): Promise<void> => {
    const { items } = JSON.parse(await ask(place, 'GET', configMaps)) as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    };
    const found = items.filter(({ metadata }) => metadata.name.startsWith('boat-')).length;
    if (found !== objects) throw new Error(`${found} objects`);
  };
  const restore = await least(
    async () => {
      await env.snapshots.restore('fleet');
      await count(env);
    },
    async () => void (await ask(env, 'DELETE', configMaps)),
  );
  const forks: AsyncDisposable[] = [];
  const forked = await least(async () => {
    const fork = await env.fork();
    forks.push(fork);
    await count(fork);
  });
  for (const fork of forks) await fork[Symbol.asyncDispose]();
  return { restore, fork: forked };
}

async function measureValidation(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-files-'));
  try {
    for (let i = 0; i < files; i++) {
      const name = `web-${i}`;
      const labels = { app: name };
      const spec = { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }] };
      const deployment = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name },
        spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
      };
      writeFileSync(join(folder, `${name}.yaml`), JSON.stringify(deployment));
    }
    const bin = new URL('../../packages/kubechain/bin/kubechain.js', import.meta.url).pathname;
    const { ms } = await least(async () => {
      await promisify(execFile)(process.execPath, [bin, 'validate', folder]);
    });
    return ms;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const figures = { rounds, ...(await measureEnvironment()), validateMs: await measureValidation() };
console.log(JSON.stringify(figures));
process.exit();
