import { limits } from '@kubechain/apimachinery';

/** Parts of the heap: of all that informers hold, of one namespace, and of all with what small namespaces hold. */
const most = limits.informedHeapShare.value / 100;
const mostOfOne = limits.informedHeapShareOfNamespace.value / 100;
const mostWithSmall = 0.75;
/** Of a namespace that has room whatever others hold. */
const small = 0.005;

/**
 * Which objects of a process's informers have room in its heap. A namespace may take a third of it, all together may
 * take 60 %; a namespace of little finds room beyond that. V8 ends a process whose heap is full, and it would read the
 * same again when it is started anew: everybody's controllers would be lost for what one namespace holds.
 */
export class HeapRoom {
  readonly #wholeBytes: number;
  readonly #taken = new Map<string, number>();
  #takenBytes = 0;

  /** @param wholeBytes what V8 allows the heap. Default: of this process */
  constructor(wholeBytes: number = heapLimit()) {
    this.#wholeBytes = wholeBytes;
  }

  /** Takes room for `bytes` instead of `before`, if there is; what becomes no larger always has it. */
  take(namespace: string, bytes: number, before = 0): boolean {
    const more = bytes - before;
    const taken = (this.#taken.get(namespace) ?? 0) + more;
    if (more > 0 && !this.#fits(taken, this.#takenBytes + more)) return false;
    this.#takenBytes += more;
    if (taken === 0) this.#taken.delete(namespace);
    else this.#taken.set(namespace, taken);
    return true;
  }

  #fits(ofNamespace: number, ofAll: number): boolean {
    if (ofNamespace <= mostOfOne * this.#wholeBytes && ofAll <= most * this.#wholeBytes) return true;
    return ofNamespace <= small * this.#wholeBytes && ofAll <= mostWithSmall * this.#wholeBytes;
  }
}

function heapLimit(): number {
  return process.getBuiltinModule('node:v8').getHeapStatistics().heap_size_limit;
}
