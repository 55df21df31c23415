/**
 * Runs JavaScript in a process whose inspector listens on `port`, and lets go of it again. Resolves when the expression
 * has been evaluated.
 */
export async function inject(port: number, expression: string): Promise<void> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    readonly webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(targets[0]!.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.onerror = reject;
    socket.onmessage = resolve;
    socket.onopen = () => {
      socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
    };
  });
  socket.close();
}
