import table from '../generated/gated-resources.json' with { type: 'json' };
import type { OptionalResourceFacts, ResourceGate } from './resource-facts.ts';

/**
 * Resources that a release lists only where a feature gate that is off is turned on, so that no server with its
 * defaults tells of them: what kube-apiserver lists with `--runtime-config=api/all=true` and
 * `--feature-gates=AllAlpha=true,AllBeta=true` beside what it lists without gates.
 */
const gated: Readonly<Record<string, readonly OptionalResourceFacts[] | undefined>> = Object.fromEntries(
  Object.entries(table).map(([release, rows]) => [
    release,
    (rows as readonly (OptionalResourceFacts & { readonly gate: string })[]).map((row) => ({
      ...row,
      gate: row.gate as ResourceGate,
    })),
  ]),
);

/** What a release has beside what a server with its defaults, or with `--runtime-config=api/all=true`, lists. */
export function gatedResources(release: string): readonly OptionalResourceFacts[] {
  return gated[release] ?? [];
}
