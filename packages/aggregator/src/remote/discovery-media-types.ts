/** What aggregated discovery is asked for with, of extension API servers and of peers. */
export const aggregatedDiscovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
/** Asked for, too, before 1.37. */
export const aggregatedDiscoveryBeta = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
