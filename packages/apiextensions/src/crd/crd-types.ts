import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';

/** JSONSchemaProps v1 as plain JSON; what it may hold is checked when a CRD is written. */
export interface JSONSchemaProps {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JSONSchemaProps>>;
  readonly additionalProperties?: boolean | JSONSchemaProps;
  readonly items?: JSONSchemaProps;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'granular' | 'atomic';
  readonly [keyword: string]: unknown;
}

/** One version of a CustomResourceDefinition. */
export interface CRDVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JSONSchemaProps };
  readonly subresources?: { readonly status?: object; readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string; readonly labelSelectorPath?: string } };
  readonly additionalPrinterColumns?: readonly { readonly name: string; readonly type: string; readonly format?: string; readonly description?: string; readonly priority?: number; readonly jsonPath: string }[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface CRDNames {
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
}

export interface CRDCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** apiextensions.k8s.io/v1 CustomResourceDefinition, as far as the server looks at it. */
export interface CustomResourceDefinition extends KubeObject {
  metadata: ObjectMeta;
  spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: CRDNames;
    readonly versions: readonly CRDVersion[];
    readonly conversion?: { readonly strategy?: 'None' | 'Webhook'; readonly webhook?: object };
    readonly preserveUnknownFields?: boolean;
  };
  status?: { conditions?: CRDCondition[]; acceptedNames?: CRDNames; storedVersions?: string[] };
}

/** The condition of a type, if the CRD has one. */
export function conditionOf(crd: CustomResourceDefinition, type: string): CRDCondition | undefined {
  return crd.status?.conditions?.find((condition) => condition.type === type);
}

export function isEstablished(crd: CustomResourceDefinition): boolean {
  return conditionOf(crd, 'Established')?.status === 'True';
}

/** The version that objects are stored in. */
export function storageVersionOf(crd: CustomResourceDefinition): string {
  return crd.spec.versions.find((version) => version.storage)?.name ?? '';
}
