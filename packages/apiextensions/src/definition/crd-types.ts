import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';

export type { JSONSchemaProps };

/** Where the scale endpoint finds its parts: simple JSON paths. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** How objects are converted by a webhook. */
export interface WebhookConversion {
  readonly clientConfig?: {
    readonly url?: string;
    readonly service?: {
      readonly namespace: string;
      readonly name: string;
      readonly path?: string;
      readonly port?: number;
    };
    /** PEM, base64. */
    readonly caBundle?: string;
  };
  /** In order of preference. */
  readonly conversionReviewVersions: readonly string[];
}

/** One version of a CustomResourceDefinition. */
export interface CRDVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JSONSchemaProps };
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths };
  readonly additionalPrinterColumns?: readonly {
    readonly name: string;
    readonly type: string;
    readonly format?: string;
    readonly description?: string;
    readonly priority?: number;
    readonly jsonPath: string;
  }[];
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
    readonly conversion?: { readonly strategy?: 'None' | 'Webhook'; readonly webhook?: WebhookConversion };
    readonly preserveUnknownFields?: boolean;
  };
  status?: { conditions?: CRDCondition[]; acceptedNames?: CRDNames; storedVersions?: string[] };
}

/** The condition of a type, if the CRD has one. */
export function conditionOf(crd: CustomResourceDefinition, type: string): CRDCondition | undefined {
  return crd.status?.conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(crd: CustomResourceDefinition, type: string): boolean {
  return conditionOf(crd, type)?.status === 'True';
}

export function isEstablished(crd: CustomResourceDefinition): boolean {
  return isConditionTrue(crd, 'Established');
}

/** The version that objects are stored in. */
export function storageVersionOf(crd: CustomResourceDefinition): string {
  return crd.spec.versions.find((version) => version.storage)?.name ?? '';
}
