/** How often objects were decoded from and encoded to stored bytes in this process. For tests and debugging. */
export const codecCounters = {
  decodes: 0,
  encodes: 0,
};
