/** A part of a page that may still be loading when the page is rendered. */
export type DeferredValue<Value> = { promise: Promise<Value>; resolved?: { value: Value } }
