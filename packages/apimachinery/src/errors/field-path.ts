/**
 * Path from the root of an object to a field, for error texts: `spec.containers[0].name` (upstream field.Path).
 *
 * Nearly all paths are made for rules that hold, and never printed: a path knows its last step only, and puts its text
 * together when it is asked for it.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  /** A name, or the subscript of an item or entry. */
  readonly #step: string | number;
  readonly #isName: boolean;

  private constructor(parent: FieldPath | undefined, step: string | number, isName: boolean) {
    this.#parent = parent;
    this.#step = step;
    this.#isName = isName;
  }

  /** The empty path, whose children are roots. */
  static readonly root: FieldPath = new FieldPath(undefined, '', true);

  /** `FieldPath.of('spec', 'replicas')` is `spec.replicas`. */
  static of(...names: readonly string[]): FieldPath {
    return names.reduce((path, name) => path.child(name), FieldPath.root);
  }

  /** Fields below this one. An empty name adds nothing but an empty subscript, as upstream prints it. */
  child(name: string, ...more: readonly string[]): FieldPath {
    let path = new FieldPath(this, name, true);
    for (let i = 0; i < more.length; i++) path = new FieldPath(path, more[i] ?? '', true);
    return path;
  }

  /** Item of a list. */
  index(index: number): FieldPath {
    return new FieldPath(this, index, false);
  }
  /** Entry of a map. */
  key(key: string): FieldPath {
    return new FieldPath(this, key, false);
  }
  /** `<nil>` for the empty path, as upstream prints a missing one. */
  toString(): string {
    return this.#parent === undefined ? '<nil>' : FieldPath.#textOf(this);
  }

  /** Not recursive: objects may be deep. */
  static #textOf(last: FieldPath): string {
    const steps: string[] = [];
    for (let path = last; path.#parent !== undefined; path = path.#parent) {
      if (!path.#isName) steps.push(`[${path.#step}]`);
      else if (path.#step === '') steps.push('[]');
      else steps.push(path.#parent.#parent === undefined ? String(path.#step) : `.${path.#step}`);
    }
    return steps.reverse().join('');
  }
}
