/** Where something stands. */
export interface Place {
  /** As it was named, `-` for standard input. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** The template that a rendered chart has it from. */
  readonly template?: string;
}

/** Something that is to be an object, and where it stands. */
export interface SourceObject {
  readonly value: unknown;
  /**
   * Where it begins; with the path of a field (`spec.containers[0].image`) where that is, or as much of it as is
   * there.
   */
  readonly place: (path?: string) => Place;
}

/** What is no YAML. */
export interface SourceError {
  readonly message: string;
  readonly place: Place;
}

/** What files, folders and standard input hold, lists taken apart. */
export interface Sources {
  readonly objects: readonly SourceObject[];
  readonly errors: readonly SourceError[];
}

/** Whether something is there, and is not for kustomize alone. */
export function isForServers(value: unknown): boolean {
  return value !== null && (value as { readonly kind?: unknown }).kind !== 'Kustomization';
}
