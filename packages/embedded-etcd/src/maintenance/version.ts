/** The etcd release whose API this server speaks: what clients read to decide which features they may use. */
export const ETCD_VERSION = '3.6.5';
/** The storage format that release reports. */
export const STORAGE_VERSION = '3.6.0';
