/** Why a pod fits nowhere, by the kind of filter: what has to happen before it is worth another try. */
export type Cause = 'node' | 'resources' | 'ports' | 'volumes' | 'spread' | 'affinity' | 'devices';
