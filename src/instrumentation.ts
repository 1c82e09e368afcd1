/** Where Next is the host it calls this before the first request; Plinth's own host was earlier. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { startUnderNext } = await import('@/core/host/start-under-next')
  const { modules } = await import('@/modules')
  await startUnderNext(modules)
}
