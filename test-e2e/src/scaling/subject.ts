import type { FieldError, KindInfo, KubeObject, Scheme } from '@kubechain/apimachinery';
import type { FieldManager, Strategy } from '@kubechain/apiserver/resources';

/** A kind in one version, and everything that its server does with an object of it. */
export interface Subject {
  /** `apps/v1 Deployment`. */
  readonly name: string;
  readonly kind: KindInfo;
  readonly scheme: Scheme;
  /** Absent for kinds that no resource keeps. */
  readonly resource?: SubjectResource;
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
  /** The cells of a Table, as JSON. */
  row(object: KubeObject): string;
}
