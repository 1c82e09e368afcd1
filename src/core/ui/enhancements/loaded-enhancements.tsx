'use client'

import { ClientNavigation } from './client-navigation'
import { KeptText } from './kept-text'
import { PaletteOpener } from './palette-opener'
import { ToastRegion } from './toast-region'

export default function LoadedEnhancements() {
  return (
    <>
      <ClientNavigation />
      <KeptText />
      <PaletteOpener />
      <ToastRegion />
    </>
  )
}
