import type { DocumentV2 } from './document-v2.ts';
import { v2Prefix } from './open-api-schema.ts';

/**
 * A document with the paths that `keep` accepts. Definitions that only the other paths used go with them; what no
 * path ever used stays, as in the reference (kube-openapi's FilterSpecByPaths, 1.36).
 */
export function filterV2(document: DocumentV2, keep: (path: string) => boolean): DocumentV2 {
  const all = Object.entries(document.paths);
  const kept = all.filter(([path]) => keep(path));
  if (kept.length === all.length) return document;
  const paths = Object.fromEntries(kept);
  const used = reachable(paths, document);
  const usedBefore = reachable(document.paths, document);
  const definitions = Object.entries(document.definitions ?? {}).filter(
    ([name]) => used.has(name) || !usedBefore.has(name),
  );
  return { ...document, paths, definitions: Object.fromEntries(definitions) };
}

/** Names of the definitions that a value refers to, directly or through others. */
function reachable(value: unknown, document: DocumentV2): Set<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, member] of Object.entries(node)) {
      if (key !== '$ref' || typeof member !== 'string') {
        visit(member);
        continue;
      }
      if (member.startsWith('#/parameters/')) visit(document.parameters?.[member.slice('#/parameters/'.length)]);
      if (!member.startsWith(v2Prefix) || found.has(member.slice(v2Prefix.length))) continue;
      found.add(member.slice(v2Prefix.length));
      visit(document.definitions?.[member.slice(v2Prefix.length)]);
    }
  };
  visit(value);
  return found;
}
