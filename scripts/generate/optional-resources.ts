import type { GoFacts } from './facts.ts';
import { resourceTable } from './resources.ts';
import type { Columns, Discovery, EtcdPaths } from './resources.ts';

interface ResourceRow {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** What a kube-apiserver with `--runtime-config=api/all=true` was recorded to serve. */
export interface AllResources {
  readonly discovery: Discovery;
  readonly columns: Columns;
  /** Warnings of deprecated versions, by the path of a list. */
  readonly warnings: Readonly<Record<string, string>>;
}

/** Rows of what is served where it is asked for only, with the warning that comes with it. */
export function optionalResourceTable(
  all: AllResources,
  byDefault: Discovery,
  { etcd, go }: { readonly etcd: EtcdPaths; readonly go: GoFacts },
): readonly unknown[] {
  const discovery = Object.fromEntries(
    Object.entries(all.discovery).map(([path, document]) => {
      const known = new Set(byDefault[path]?.resources?.map(({ name }) => name));
      if (document.resources === undefined) return [path, document];
      return [path, { ...document, resources: document.resources.filter(({ name }) => !known.has(name)) }];
    }),
  );
  const { resources } = resourceTable(discovery, etcd, all.columns, go);
  return (resources as readonly ResourceRow[]).map((row) => {
    const deprecationWarning = all.warnings[`/apis/${row.group}/${row.version}/${row.resource}`];
    return deprecationWarning === undefined ? row : { ...row, deprecationWarning };
  });
}
