export const texts = {
  plugin_library: "Biblioteca de planes",
  about_library: "Guarda cada plan presentado como archivo y permite buscar entre todos.",
  planFileLost_full:
    "El disco está lleno: este plan no tiene copia como archivo. El plan está guardado y se puede decidir sobre él.",
  planFileLost_read_only:
    "No se puede escribir en la carpeta de planes: este plan no tiene copia como archivo. El plan está guardado y se puede decidir sobre él.",
  planFileLost_refused:
    "La carpeta de planes lleva a otro lugar: este plan no tiene copia como archivo. El plan está guardado y se puede decidir sobre él.",
  planFileLost_taken:
    "Todos los nombres de archivo para este título y día están ocupados: este plan no tiene copia como archivo. El plan está guardado y se puede decidir sobre él.",
  planFileLost_unwritable:
    "Falló el disco: este plan no tiene copia como archivo. El plan está guardado y se puede decidir sobre él.",
  unitLostTracked:
    "Git sigue archivos en .holdpoint/work, y esos no se tocan nunca: este plan no tiene copia allí. Se lleva a cabo igualmente.",
  unitLost: "Este plan no se pudo copiar en .holdpoint/work ({because}). Se lleva a cabo igualmente.",
  workUnitsHere: "Planes aprobados en este espacio de trabajo",
};
