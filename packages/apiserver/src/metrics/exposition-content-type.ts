/** Of /metrics, as the reference sends it. */
export const expositionContentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';
