/** meta/v1 APIResource: one entry of `/apis/<group>/<version>`. Member order is the order on the wire. */
export interface APIResource {
  /** `pods` or `pods/status`. */
  readonly name: string;
  /** '' for subresources. */
  readonly singularName: string;
  readonly namespaced: boolean;
  /** Only where the kind's group or version differ from the document's (Scale, Eviction, TokenRequest). */
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  /** Sorted. */
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** apidiscovery.k8s.io/v2 APISubresourceDiscovery. */
export interface APISubresourceDiscovery {
  readonly subresource: string;
  readonly responseKind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly string[];
}

/** apidiscovery.k8s.io/v2 APIResourceDiscovery. */
export interface APIResourceDiscovery {
  readonly resource: string;
  readonly responseKind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly APISubresourceDiscovery[];
}

/** apidiscovery.k8s.io/v2 APIVersionDiscovery. */
export interface APIVersionDiscovery {
  readonly version: string;
  readonly resources: readonly APIResourceDiscovery[];
  readonly freshness: 'Current' | 'Stale';
}

/** apidiscovery.k8s.io/v2 APIGroupDiscovery. */
export interface APIGroupDiscovery {
  readonly metadata: { readonly name?: string; readonly creationTimestamp?: null };
  readonly versions: readonly APIVersionDiscovery[];
}

/** meta/v1 APIGroup: one entry of `/apis`. */
export interface APIGroup {
  readonly name: string;
  readonly versions: readonly { readonly groupVersion: string; readonly version: string }[];
  readonly preferredVersion: { readonly groupVersion: string; readonly version: string };
}
