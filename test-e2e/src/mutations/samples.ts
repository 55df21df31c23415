import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Value } from './values.ts';

const transcripts = join(import.meta.dirname, '../../transcripts');
/** Limits of one sample would be met by the objects of all others. */
const WITHOUT: readonly string[] = ['LimitRange', 'ResourceQuota'];

interface Step {
  readonly request?: { readonly method: string; readonly body?: unknown };
  readonly response?: { readonly status?: number };
}

/** Objects by `apiVersion/kind`. */
export type Samples = ReadonlyMap<string, readonly { [name: string]: Value }[]>;

/** Objects that kube-apiserver has taken: those that transcripts create. */
export function readSamples(): Samples {
  const samples = new Map<string, { [name: string]: Value }[]>();
  for (const area of readdirSync(transcripts, { withFileTypes: true })) {
    if (!area.isDirectory()) continue;
    for (const file of readdirSync(join(transcripts, area.name)).filter((name) => name.endsWith('.json'))) {
      const { steps = [] } = JSON.parse(readFileSync(join(transcripts, area.name, file), 'utf8')) as {
        readonly steps?: readonly Step[];
      };
      for (const { request, response } of steps) {
        const body = request?.body as { apiVersion?: string; kind?: string } | undefined;
        if (request?.method !== 'POST' || response?.status !== 201 || body?.kind === undefined) continue;
        // `<…>` stands for what another step has told.
        if (WITHOUT.includes(body.kind) || JSON.stringify(body).includes('<')) continue;
        const name = `${body.apiVersion}/${body.kind}`;
        samples.set(name, [...(samples.get(name) ?? []), body as { [name: string]: Value }]);
      }
    }
  }
  return samples;
}
