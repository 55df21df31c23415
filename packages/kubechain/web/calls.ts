/** Calls the launcher. @throws Error with what it says is wrong */
export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { 'X-Kubechain-Page': '1' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(messageIn(text) ?? `${response.status} ${response.statusText}`);
  return JSON.parse(text) as T;
}

export function get<T>(path: string): Promise<T> {
  return call('GET', path);
}

function messageIn(text: string): string | undefined {
  try {
    const { error, message } = JSON.parse(text) as { readonly error?: string; readonly message?: string };
    return error ?? message;
  } catch {
    return text.trim() === '' ? undefined : text.trim();
  }
}
