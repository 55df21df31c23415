/** A resource that serves a kind. */
export interface ResourceOfKind {
  readonly resource: string;
  readonly namespaced: boolean;
}
