/** Path from the root of an object to a field, for error texts: `spec.containers[0].name` (upstream field.Path). */
export class FieldPath {
  readonly #text: string;
  readonly #isRoot: boolean;

  private constructor(text: string, isRoot: boolean) {
    this.#text = text;
    this.#isRoot = isRoot;
  }

  /** The empty path, whose children are roots. */
  static readonly root: FieldPath = new FieldPath('', true);

  /** `FieldPath.of('spec', 'replicas')` is `spec.replicas`. */
  static of(...names: readonly string[]): FieldPath {
    return FieldPath.root.child(...names);
  }

  /** Fields below this one. An empty name adds nothing but an empty subscript, as upstream prints it. */
  child(...names: readonly string[]): FieldPath {
    let text = this.#text;
    let isRoot = this.#isRoot;
    for (const name of names) {
      text = name === '' ? `${text}[]` : isRoot ? name : `${text}.${name}`;
      isRoot = false;
    }
    return new FieldPath(text, isRoot);
  }

  /** Item of a list. */
  index(index: number): FieldPath { return new FieldPath(`${this.#text}[${index}]`, false); }
  /** Entry of a map. */
  key(key: string): FieldPath { return new FieldPath(`${this.#text}[${key}]`, false); }
  /** `<nil>` for the empty path, as upstream prints a missing one. */
  toString(): string { return this.#isRoot ? '<nil>' : this.#text; }
}
