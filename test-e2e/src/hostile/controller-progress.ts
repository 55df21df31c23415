import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../harness/client.ts';

/** How often it is looked whether controllers have done something, and how long is waited before the next, in ms. */
const lookMs = 50;
const pauseMs = 250;
/** As the namespace controller leaves requests time that are under way. */
const graceMs = 5_000;

/** What controllers were slowest to do. */
export interface Progress {
  readonly what: string;
  readonly ms: number;
}

const none: Progress = { what: 'nothing', ms: 0 };

/**
 * Somebody who needs controllers again and again: pods of new replica sets, which go with them, and service accounts
 * of new namespaces, which end. Tells what was waited for longest.
 */
export class ControllerProgress {
  readonly #client: Client;
  readonly #waitingSince = new Map<string, number>();
  #slowest = none;
  #since = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Never ends; rejects where something is refused. */
  async run(): Promise<void> {
    await this.#create('/api/v1/namespaces', { metadata: { name: 'bystander' } });
    const turns = async (turn: (name: string) => Promise<void>): Promise<never> => {
      for (let i = 0; ; i++) {
        await turn(`bystander-${i}`);
        await delay(pauseMs);
      }
    };
    await Promise.all([turns((name) => this.#replicaSet(name)), turns((name) => this.#namespace(name))]);
  }

  /** The longest wait since the last call, which may not be over. */
  take(): Progress {
    const now = performance.now();
    let slowest = this.#slowest;
    for (const [what, startedAt] of this.#waitingSince)
      slowest = slower(slowest, { what, ms: this.#passed(startedAt) });
    this.#slowest = none;
    this.#since = now;
    return slowest;
  }

  async #replicaSet(name: string): Promise<void> {
    const sets = '/apis/apps/v1/namespaces/bystander/replicasets';
    const labels = { app: name };
    await this.#create(sets, {
      metadata: { name },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    });
    const pods = `/api/v1/namespaces/bystander/pods?labelSelector=app%3D${name}`;
    const count = async (): Promise<number> =>
      ((await this.#client.get(pods)).body as { readonly items: readonly unknown[] }).items.length;
    await this.#until('the pod of a replica set', async () => (await count()) === 1);
    await this.#client.delete(`${sets}/${name}`);
    await this.#until('the end of the pod of a replica set', async () => (await count()) === 0);
  }

  async #namespace(name: string): Promise<void> {
    const path = `/api/v1/namespaces/${name}`;
    await this.#create('/api/v1/namespaces', { metadata: { name } });
    const status = async (asked: string): Promise<number> => (await this.#client.get(asked)).status;
    const account = `${path}/serviceaccounts/default`;
    await this.#until('the service account of a namespace', async () => (await status(account)) === 200);
    await this.#client.delete(path);
    await delay(graceMs);
    await this.#until('the end of a namespace', async () => (await status(path)) === 404);
  }

  async #create(path: string, body: object): Promise<void> {
    const { status, text } = await this.#client.post(path, body);
    if (status !== 201) throw new Error(`POST ${path}: ${text}`);
  }

  async #until(what: string, done: () => Promise<boolean>): Promise<void> {
    const startedAt = performance.now();
    this.#waitingSince.set(what, startedAt);
    while (!(await done())) await delay(lookMs);
    this.#waitingSince.delete(what);
    this.#slowest = slower(this.#slowest, { what, ms: this.#passed(startedAt) });
  }

  /** Milliseconds of the wait that are after the last call of `take`. */
  #passed(startedAt: number): number {
    return performance.now() - Math.max(startedAt, this.#since);
  }
}

const slower = (a: Progress, b: Progress): Progress => (b.ms > a.ms ? b : a);
