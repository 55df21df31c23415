import type { FieldError, KindInfo, KubeObject, Scheme } from '@kubechain/apimachinery';
import type { FieldManager, Strategy } from '@kubechain/apiserver/resources';
import type { Place } from './places.ts';
import type { Subresource } from './subresource.ts';

/** A kind in one version, and everything that its server does with an object of it. */
export interface Subject {
  /** `apps/v1 Deployment`. */
  readonly name: string;
  readonly kind: KindInfo;
  readonly scheme: Scheme;
  /** Absent for kinds that no resource keeps. */
  readonly resource?: SubjectResource;
  /** Of bodies of a subresource: whose. What is done with every body of the kind is done with others. */
  readonly subresource?: string;
  /** Where such bodies are of a kind of their own. */
  readonly bodyOf?: Subresource;
  /** Which places are filled. Default: all. */
  readonly fills?: (place: Place) => boolean;
}

export interface SubjectResource {
  readonly strategy: Strategy;
  readonly fieldManager: FieldManager;
  /** Checks of metadata and the resource's own, as for a new object; changes it as creating does. */
  create(object: KubeObject): Promise<readonly FieldError[]>;
  /** The same for an update. */
  readonly update: (object: KubeObject, old: KubeObject) => Promise<readonly FieldError[]>;
  /** The same for an update of a subresource over the same object: `status`, `resize`. undefined: it has none such. */
  updatesOf(subresource: string): ((object: KubeObject, old: KubeObject) => Promise<readonly FieldError[]>) | undefined;
  /** Its subresources that have kinds of their own. */
  readonly subresources: readonly Subresource[];
  /** The cells of a Table, as JSON. */
  row(object: KubeObject): string;
}
