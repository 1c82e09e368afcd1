import 'server-only'

/** A part of a page that is usually there at once and may be late. */
export type Soon<Value> = { value: Promise<Value>; known?: { value: Value } }

type Parts<Values> = { [Name in keyof Values]: Promise<Values[Name]> }

/**
 * Waits for the parts of a page a moment, so that it comes whole. What takes longer is streamed by
 * the `Panel` that shows it; what fails within that moment fails the page, which then says so.
 */
export async function soon<Values extends Record<string, unknown>>(
  parts: Parts<Values>,
  patience = 250,
): Promise<{ [Name in keyof Values]: Soon<Values[Name]> }> {
  const awaited = Object.entries(parts).map(([name, value]) => [name, watched(value)] as const)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience)
  })
  try {
    await Promise.race([Promise.all(Object.values(parts)), late])
  } finally {
    clearTimeout(timer)
  }
  return Object.fromEntries(awaited) as { [Name in keyof Values]: Soon<Values[Name]> }
}

function watched<Value>(value: Promise<Value>): Soon<Value> {
  const part: Soon<Value> = { value }
  value.then(
    (known) => {
      part.known = { value: known }
    },
    // The panel that shows it meets it too; until then it is nobody's.
    () => {},
  )
  return part
}
