import { z } from 'zod'

/** As typed: with or without a space in the middle. */
export const codeField = z.string('Enter the code.').trim().min(1, 'Enter the code.').max(20)
