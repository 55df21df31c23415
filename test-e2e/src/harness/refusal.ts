/** What a call of @kubernetes/client-node is refused with. @throws Error when it is not */
export async function refusal(call: Promise<unknown>): Promise<{ readonly code: number; readonly message: string }> {
  try {
    await call;
  } catch (error) {
    const { body, code } = error as { readonly code?: number; readonly body?: unknown };
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
    const status = text.startsWith('{') ? (JSON.parse(text) as { readonly message?: string }) : { message: text };
    return { code: code ?? 0, message: status.message ?? String(error) };
  }
  throw new Error('it was not refused');
}
