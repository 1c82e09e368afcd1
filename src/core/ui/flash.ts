/** A message about what was just done. It is shown once, on the next page. */
export type Flash = {
  id: string
  /** Names the object: "Invitation sent to new@example.com." */
  text: string
  undo?: Undo
}

/** The mutation that reverses what was done, and its fields. */
export type Undo = {
  /** The name in the mutation's declaration. */
  action: string
  fields: Readonly<Record<string, string>>
}
