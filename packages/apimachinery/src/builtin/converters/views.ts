import type { GroupVersion, KubeObject } from '../../object/object.ts';
import type { Converter } from '../../runtime/converter.ts';

/** A value of JSON with members. */
export type Data = Record<string, unknown>;

/** How a kind is written in a group version, seen from the one that it is kept in, the hub. */
export interface KindView extends GroupVersion {
  /** May change and return its argument. Absent: only apiVersion differs. */
  readonly toHub?: (object: Data) => Data;
  readonly fromHub?: (object: Data) => Data;
}

/** Conversions of a kind between its hub and each view, and between any two views, which go over the hub. */
export function viewConverters(kind: string, hub: GroupVersion, views: readonly KindView[]): readonly Converter[] {
  const all: readonly KindView[] = [hub, ...views];
  return all.flatMap((from) =>
    all
      .filter((to) => to !== from)
      .map((to) => ({
        from: { group: from.group, version: from.version, kind },
        to: { group: to.group, version: to.version },
        convert: (object: KubeObject): KubeObject => {
          const inHub = from.toHub?.(object) ?? object;
          return (to.fromHub?.(inHub) ?? inHub) as KubeObject;
        },
      })),
  );
}

/** A member that is an object; undefined for anything else. */
export function dataOf(value: unknown): Data | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : undefined;
}

/** The objects of a list. */
export function itemsOf(value: unknown): readonly Data[] {
  return Array.isArray(value) ? value.filter((item): item is Data => dataOf(item) !== undefined) : [];
}
