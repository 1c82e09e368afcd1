'use client'

import { ClientNavigation } from './client-navigation'
import { PaletteOpener } from './palette-opener'
import { ToastRegion } from './toast-region'

export default function LoadedEnhancements() {
  return (
    <>
      <ClientNavigation />
      <PaletteOpener />
      <ToastRegion />
    </>
  )
}
