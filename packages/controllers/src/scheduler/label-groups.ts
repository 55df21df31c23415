import type { Pod } from '@kubechain/apimachinery/types/core/v1';

/** Pods of one namespace with the same labels. */
export interface LabelGroup {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** How many there are. */
  readonly count: number;
}

/** Counts pods that are not being deleted by namespace and labels: those of one template are looked at once. */
export class LabelGroups {
  readonly #groups = new Map<string, LabelGroup>();

  add(pod: Pod): void {
    this.#change(pod, 1);
  }

  /** `pod` is what was added. */
  remove(pod: Pod): void {
    this.#change(pod, -1);
  }

  entries(): Iterable<readonly [key: string, group: LabelGroup]> {
    return this.#groups;
  }

  #change({ metadata }: Pod, by: number): void {
    if (metadata?.deletionTimestamp !== undefined) return;
    const { labels = {}, namespace = '' } = metadata ?? {};
    const key = `${namespace}\0${JSON.stringify(labels)}`;
    const count = (this.#groups.get(key)?.count ?? 0) + by;
    if (count > 0) this.#groups.set(key, { namespace, labels, count });
    else this.#groups.delete(key);
  }
}

/** Counts, during one attempt, the pods that something matches; each namespace and set of labels is asked once. */
export class GroupCounter {
  readonly #namespace: string;
  readonly #matches: (labels: Readonly<Record<string, string>>) => boolean;
  readonly #known = new Map<string, boolean>();

  constructor(namespace: string, matches: (labels: Readonly<Record<string, string>>) => boolean) {
    this.#namespace = namespace;
    this.#matches = matches;
  }

  count(groups: LabelGroups): number {
    let sum = 0;
    for (const [key, { count, labels, namespace }] of groups.entries()) {
      if (namespace !== this.#namespace) continue;
      let matches = this.#known.get(key);
      if (matches === undefined) this.#known.set(key, (matches = this.#matches(labels)));
      if (matches) sum += count;
    }
    return sum;
  }
}
