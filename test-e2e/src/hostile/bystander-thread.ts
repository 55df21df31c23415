import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Client } from '../harness/client.ts';
import type { BystanderData, BystanderReport } from './bystander.ts';
import { ControllerProgress } from './controller-progress.ts';

const { controlled, kubeconfig } = workerData as BystanderData;
const client = Client.fromKubeconfig(kubeconfig);
const progress = controlled ? new ControllerProgress(client) : undefined;
/** One of each process. */
const paths = [
  '/api/v1/namespaces/default',
  '/apis/apiregistration.k8s.io/v1/apiservices/v1.',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=1',
];
const waitingSince = new Map<string, number>();
let problems: string[] = [];
let slowestMs = 0;
let since = 0;

async function ask(path: string): Promise<never> {
  for (;;) {
    const startedAt = performance.now();
    waitingSince.set(path, startedAt);
    try {
      const { status } = await client.get(path);
      if (status !== 200) problems.push(`${path} answered ${status}`);
    } catch (error) {
      problems.push(`${path}: ${String(error)}`);
    }
    waitingSince.delete(path);
    slowestMs = Math.max(slowestMs, performance.now() - Math.max(startedAt, since));
    await delay(25);
  }
}

parentPort?.on('message', () => {
  const now = performance.now();
  const waiting = [...waitingSince.values()].map((startedAt) => now - Math.max(startedAt, since));
  const report: BystanderReport = { slowestMs: Math.max(slowestMs, ...waiting), problems, progress: progress?.take() };
  parentPort?.postMessage(report);
  slowestMs = 0;
  problems = [];
  since = now;
});

const controllers = progress?.run().catch((error: unknown) => problems.push(String(error)));
await Promise.all([...paths.map(ask), controllers]);
