/** Where the process in front reads the stats of a server and those behind it. */
export const objectStatsPath = '/.kubechain/object-stats';
