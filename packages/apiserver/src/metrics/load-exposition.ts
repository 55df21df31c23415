import type { Exposition } from './exposition.ts';

let loaded: Promise<Exposition> | undefined;

/** The process's exposition, loaded when it is first asked for. Its `registry` takes further prom-client metrics. */
export function loadExposition(): Promise<Exposition> {
  return (loaded ??= import('./exposition.ts').then(({ Exposition }) => new Exposition()));
}
