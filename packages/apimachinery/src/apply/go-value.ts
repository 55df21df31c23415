/**
 * What an expression makes of a Go type that no document has: a configuration may hold it, and nothing that is typed is
 * it. It is said in messages only.
 */
export class GoValue {
  /** `time.Time` */
  readonly typeName: string;
  /** As `%v` prints it. */
  readonly text: string;
  /** As `%#v` prints it. */
  readonly syntax: string;

  constructor({ syntax, text, typeName }: Pick<GoValue, 'syntax' | 'text' | 'typeName'>) {
    this.typeName = typeName;
    this.text = text;
    this.syntax = syntax;
  }
}
