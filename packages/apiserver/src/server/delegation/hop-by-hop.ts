/** Response headers that belong to one connection (RFC 9110 7.6.1); `transfer-encoding` is the writer's own. */
export const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);
