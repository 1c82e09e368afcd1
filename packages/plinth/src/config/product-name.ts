const product = { name: 'App' }

/** The name of the app in mail, page titles and the OpenAPI document. */
export function productName(): string {
  return product.name
}

export function setProductName(name: string): void {
  product.name = name
}
