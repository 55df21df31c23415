/** Names that the reference gives special meaning (k8s.io/apiserver/pkg/authentication/user). */
export const ANONYMOUS_USER = 'system:anonymous';
/** The server's own user on its loopback connections. */
export const API_SERVER_USER = 'system:apiserver';
export const AUTHENTICATED_GROUP = 'system:authenticated';
export const UNAUTHENTICATED_GROUP = 'system:unauthenticated';
/** Its members may do everything: the privileged-group authorizer allows them before RBAC is asked. */
export const PRIVILEGED_GROUP = 'system:masters';
export const NODES_GROUP = 'system:nodes';
/** User names of nodes are this and the node's name. */
export const NODE_USER_PREFIX = 'system:node:';
/** Key in `extra` that tells which credential was used: `JTI=…` or `X509SHA256=…`. */
export const CREDENTIAL_ID_KEY = 'authentication.kubernetes.io/credential-id';
