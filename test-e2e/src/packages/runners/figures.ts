/**
 * Prints what environments cost a program of a user, as `Figures`: the first one of the process, the best of those
 * after it, memory at rest, and the end of each with open watches.
 */
export const figuresProgram = `
import { get } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestEnvironment } from 'kubechain/testing';

async function measure(step) {
  const start = performance.now();
  const before = process.cpuUsage();
  const value = await step();
  const { system, user } = process.cpuUsage(before);
  return { value, wallMs: performance.now() - start, cpuMs: (system + user) / 1000 };
}

function watch(env, plural) {
  return new Promise((resolve, reject) => {
    const options = { ca: env.caCertificate, headers: { authorization: 'Bearer ' + env.adminToken }, agent: false };
    get(env.url + '/api/v1/' + plural + '?watch=1', options, (answer) => {
      answer.on('error', () => {}).resume();
      resolve(answer);
    }).on('error', reject);
  });
}

async function useOne(atRest) {
  const { value: env, ...start } = await measure(() => startTestEnvironment());
  await atRest();
  const watches = await Promise.all(['configmaps', 'pods', 'secrets'].map((plural) => watch(env, plural)));
  const ended = watches.map((answer) => new Promise((resolve) => answer.once('close', resolve)));
  const { value: _, ...stop } = await measure(() => env.stop());
  await Promise.all(ended);
  return { start, stop };
}

let residentBytes = 0;
const cold = await useOne(async () => {
  await delay(2000);
  residentBytes = process.memoryUsage.rss();
});
const warm = [];
for (let count = 0; count < 6; count++) warm.push(await useOne(() => undefined));
const least = (name, unit) => Math.min(...warm.map((one) => one[name][unit]));
console.log(JSON.stringify({
  cold: cold.start,
  warm: { wallMs: least('start', 'wallMs'), cpuMs: least('start', 'cpuMs') },
  stop: { wallMs: least('stop', 'wallMs'), cpuMs: least('stop', 'cpuMs') },
  residentBytes,
}));
`;

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** What `figuresProgram` prints. */
export interface Figures {
  readonly cold: Cost;
  readonly warm: Cost;
  readonly stop: Cost;
  readonly residentBytes: number;
}

/** Processor time of a program that does nothing, in the same milliseconds: what it says about the machine is how busy. */
export const unitProgram = `
const { system, user } = process.cpuUsage();
console.log(JSON.stringify((system + user) / 1000));
`;
