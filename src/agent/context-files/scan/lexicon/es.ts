/** Spanish words of the scan. */
import type { Lexicon } from "../concept.ts";

export const es: Lexicon = {
  discard:
    "ignora|ignore|ignoren|ignorar|olvida|olvide|olvídate|olvídese|olvidar|descarta|descarte|descartar|desecha|deseche|omite|anula|anule|abandona|abandone|haz caso omiso|haga caso omiso|hagan caso omiso|caso omiso|no hagas caso|no tengas en cuenta|no tenga en cuenta|deja de lado|deje de lado|dejar de lado|deja de seguir|deje de seguir|deja de obedecer|no sigas|no siga|no obedezcas|no obedezca|no prestes atención|pasa por alto|borra de tu memoria|deshazte de|invalida|desatiende|prescinde de",
  void: "ya no aplican|ya no aplica|ya no valen|ya no son válidas|ya no rigen|ya no tienen efecto|no se aplican|quedan anuladas|queda anulada|quedan sin efecto|queda sin efecto|sin efecto|derogadas|derogada|obsoletas|invalidadas|ya no es necesaria|ya no es necesario|ya no hace falta|ya no se necesita|ya no se requiere|suprimida|eliminado el paso",
  earlier:
    "al principio|al inicio|al comienzo|te dieron|que te dieron|recibiste|anterior|anteriores|previa|previas|previo|previos|precedente*|antes|original|originales|inicial|iniciales|hasta ahora|existentes|recibidas|recibido|de arriba",
  all: "todo|toda|todos|todas|cualquier|cualesquiera|cada|sin excepción",
  your: "tu|tus|su|sus|tuyas",
  instruction:
    "instrucción|instrucciones|directriz|directrices|indicación|indicaciones|directiva|directivas|prompt|prompts|pautas|lineamientos|consignas|salvaguardas",
  rule: "regla|reglas|norma|normas|orden|órdenes|restricción|restricciones|límites|política|políticas|limitaciones|entrenamiento|reglas de seguridad",
  system:
    "prompt del sistema|prompt de sistema|instrucciones del sistema|mensaje del sistema|reglas del sistema|reglas de seguridad|normas de seguridad|instrucciones del desarrollador",
  told: "todo lo anterior|todo lo que te dijeron|todo lo que se te ha dicho|todo lo que te han dicho|lo que te han dicho|todo lo dicho|todo lo que sabes|todo cuanto te",
  newSystem:
    "nuevo prompt del sistema|nuevas instrucciones del sistema|tus nuevas instrucciones|tus verdaderas instrucciones|tu verdadera tarea|tu verdadero objetivo|tu nueva misión|tu auténtica tarea",
  newTask:
    "nuevas instrucciones|nuevo objetivo|nueva tarea es|tu única tarea|tu único objetivo|obedece solo|obedece únicamente|sigue únicamente|sigue en su lugar|en su lugar sigue",
  supreme:
    "prioridad sobre el usuario|prioridad sobre el operador|por encima del usuario|por encima del operador|por encima de tus|por encima de cualquier|prevalece sobre|prevalecen sobre|aunque el usuario|diga lo que diga|sin importar lo que diga",
  follow: "sigue|obedece|cumple|acata|haz lo que",
  become:
    "eres|actúa|actúe|compórtate|compórtese|finge|finja|conviértete|asume el papel|haz de|responde como|entra en|activa|cambia a|serás|simula|opera en",
  free: "sin restricciones|sin límites|sin filtros|sin reglas|sin censura|sin limitaciones|sin ninguna restricción|sin ningún límite|no tiene restricciones|no tiene reglas|libre de toda|libre de restricciones|libre de todas|modo desarrollador|modo dios|modo administrador|modo mantenimiento|todo está permitido|no conoce límites|irrestrict*",
  unbound:
    "ya no estás limitado|ya no estás sujeto|ya no estás sujeta|ya no estás obligado|ya no eres un asistente|ya no tienes restricciones|ya no tienes límites|has sido liberado|liberado de|no estás atado",
  reidentify:
    "ahora eres|a partir de ahora eres|desde ahora eres|de ahora en adelante eres|tu nuevo nombre|tu nueva identidad|tu nuevo rol|olvida quién eres|tu verdadera identidad|serás conocido como",
  person:
    "usuario|usuaria|usuarios|operador|operadora|operadores|persona|personas|humano|humanos|dueño|revisor|revisora|revisores|nadie|alguien|propietario|cliente|desarrollador|equipo|administrador|responsable",
  work: "plan|planes|cambio|cambios|solicitud|acción|acciones|todo|paso|pasos|tarea|tareas|operación|operaciones|modificaciones|esto",
  already: "ya|previamente|de antemano|automáticamente|siempre|por adelantado|por defecto|permanente",
  approved:
    "aprobado*|aprobada*|autorizado*|autorizada*|consentido|aceptado*|aceptada*|confirmado*|confirmada*|visto bueno|dado permiso",
  isApproved:
    "ya está aprobado|ya está aprobada|ya están aprobados|ya están aprobadas|ya fue aprobado|ya fue aprobada|ya ha sido aprobado|ya ha sido aprobada|ya han sido aprobad*|ya fueron aprobad*|ya aprobó|ya autorizó|ya ha aprobado|ya ha autorizado|ya ha dado|ya dio su|aprobado de antemano|aprobada de antemano|aprobados de antemano|aprobadas de antemano|preaprobad*|queda aprobado|quedan aprobad*|queda autorizad*|se considera aprobad*|se consideran aprobad*|aprobado por adelantado|aprueba siempre|siempre aprueba|aprobado automáticamente|permiso permanente|aprobación permanente|autorización general|autorización permanente|está de acuerdo con todo|dado el visto bueno|dio el visto bueno",
  approval:
    "aprobación|aprobaciones|permiso|permisos|confirmación|confirmaciones|consentimiento|autorización|visto bueno|firma|revisión|conformidad|sí",
  gate: "paso de aprobación|modo plan|modo de plan|control de aprobación|puerta de aprobación|compuerta|barrera de aprobación|solicitud de confirmación|comprobaciones de seguridad|controles de seguridad|mecanismo de aprobación|filtro de aprobación|proceso de aprobación|diálogo de confirmación",
  assume:
    "asume|asuma|supón|suponga|supon|da por|dé por|finge|considera|considere|trata|trate|interpreta|interprete|actúa como si|actúe como si|como si|toma ~ como|haz como si|haz como que",
  skip: "salta|sáltate|saltarte|saltar|salte|omite|omita|omitir|elude|evita|evite|esquiva|desactiva|desactive|deshabilita|desconecta|rodea|apaga|prescinde de|burla",
  ask: "preguntar|preguntes|pregunte|pidas|pida|pedir|pedirle|esperar|esperes|espere|solicitar|solicites|confirmar|confirmación|aprobación|permiso|autorización|consultar|consultes|consentimiento|visto bueno",
  skipAsk:
    "sin preguntar|sin pedir|sin esperar|sin aprobación|sin permiso|sin confirmación|sin autorización|sin consultar|sin solicitar|no pidas permiso|no preguntes|no esperes|no hace falta pedir|no hace falta preguntar|no es necesario pedir|no necesitas pedir|no necesitas permiso|no necesitas aprobación|no necesitas la aprobación|no se requiere aprobación|no se necesita aprobación|no solicites",
  approve:
    "aprueba|apruebe|autoriza|autorice|confirma|confirme|acepta|acepte|firma|firme|responde que sí|responde sí|marca como aprobado|marca ~ como aprobado|pulsa aprobar",
  selfAct:
    "tú mismo|tú misma|por tu cuenta|en nombre del|en nombre de la|en su nombre|en lugar del usuario|en lugar de la persona|por el usuario|automáticamente",
  autoApprove:
    "aprueba todo|aprueba todos|aprueba todas|aprueba cualquier|acepta todo|acepta todas|acepta cualquier|di que sí a todo|aprueba tú mismo|aprueba tus propios|apruébalo tú|autoriza todo|concédete",
  silence: "silencio|falta de respuesta|ausencia de respuesta|no responde|no contesta",
  proceed:
    "adelante|procede|proceda|continúa|empieza|comienza|ejecuta|ejecútalo|aplica|aplícalo|sigue adelante|ponte a",
  now: "ahora|a partir de ahora|de inmediato|inmediatamente|desde ahora|en adelante|directamente|ya mismo|enseguida",
  danger:
    "borra|elimina|ejecuta|ejecutar|ejecute|publica|despliega|producción|modifica|escribe|cambios|comandos|plan|sobrescribe|transfiere|acciones|aplica|instala|órdenes",
  safe: "prueba|pruebas|tests|linter|formato|formateador|lectura|leer|documentación|erratas|búsquedas|solo lectura|local|staging",
  tell: "digas|diga|decir|decirle|menciones|mencione|mencionar|informes|informe|informar|avises|avise|avisar|notifiques|notifique|notificar|cuentes|cuente|contar|reveles|revele|revelar|comentes|muestres|muestre|reportes",
  noTell:
    "sin decir|sin informar|sin avisar|sin mencionar|sin notificar|sin contar|no le digas|no digas|no se lo digas|no lo menciones|no menciones|no informes|no avises|no le cuentes|no cuentes|no se lo cuentes|no reveles que|no debe saber|no debe enterarse|no tiene que saber|no tiene por qué saber|no necesita saber|no hace falta que sepa|no se entere|ni una palabra|guarda silencio|que no lo sepa|sin que lo sepa|no comentes|no le avises|no le informes",
  hide: "oculta|oculte|ocultar|ocúltale|esconde|esconda|esconder|encubre|disimula|mantén en secreto|mantenga en secreto|mantén ~ en secreto|guarda ~ en secreto|mantenlo en secreto|omite|deja ~ fuera",
  covert:
    "en secreto|secretamente|a escondidas|a espaldas|sin que ~ se entere|sin que ~ note|sin que ~ sepa|discretamente|sigilosamente|sin dejar rastro|silenciosamente|en silencio",
  self: "esto|este|esta|estas|estos|lo que has hecho|lo que hiciste|que has|lo|ello|eso|ese|esa",
  record: "resumen|resúmenes|informe|respuesta|respuestas|registro|registros|historial|mensaje final|salida|bitácora",
  tracks:
    "borra ~ huellas|borra ~ rastro|borra ~ rastros|elimina ~ rastro|elimina ~ rastros|elimina ~ pruebas|borra el historial|borra los registros|elimina los registros|no dejes rastro|sin dejar rastro",
  send: "envía|envíe|envíalo|envíalos|envíalas|enviar|manda|mande|mándalo|sube|suba|súbelo|publica|transmite|reenvía|comparte|filtra|exfiltra|copia|entrega",
  grab: "lee|lea|recopila|recoge|reúne|busca|copia|abre|extrae|obtén|encuentra|toma",
  secret:
    "secreto|secretos|contraseña|contraseñas|credencial|credenciales|claves|clave privada|claves privadas|llaves|variables de entorno|historial|conversación|tokens|datos de clientes|clave de api|claves de api",
  out: "servidor externo|servidor remoto|externo|externa|terceros|esta dirección|siguiente dirección|servidor|atacante|dirección|destino",
  include: "incluye|añade|agrega|pega|inserta|codifica|pon|escribe|adjunta|mete",
  publicPlace: "mensaje de commit|pull request|issue|comentario|url|enlace|imagen|rama|público|pública",
  fetch: "descarga|descargue|obtén|baja|abre|visita|lee|carga|consulta",
  run: "ejecuta|ejecute|ejecútalo|instala|lanza|obedece|sigue|haz|aplica|cumple",
  trigger:
    "antes de cada|antes de nada|antes de empezar|antes de hacer|antes de hacer nada|al inicio de cada|al comienzo de cada|cada vez|en cada|lo primero|primero|tras leer|al leer",
  blind: "sin revisar*|sin leer*|sin comprobar*|sin verificar*|a ciegas|diga lo que diga",
  decode: "decodifica|descifra|descodifica",
  encoded: "codificad*|cifrad*",
  authority:
    "mensaje del operador|mensaje de tu operador|mensaje del sistema|mensaje del administrador|mensaje de tus desarrolladores|mensaje de anthropic|mensaje de openai|soy tu operador|soy tu administrador|soy el administrador|soy tu desarrollador|por orden de|por orden del|en nombre del equipo de seguridad|habla el sistema|tus creadores|aviso del sistema",
  address:
    "si eres una ia|si eres un modelo|si eres un asistente|si eres un agente|como ia|agentes de ia|a todas las ia|atención ia|atención agente|atención asistente|nota para la ia|nota para el asistente|nota para el agente|nota para agentes|nota al asistente|nota al modelo|querido asistente|querida ia|estimado asistente|modelos de lenguaje|la ia que lea|el agente que lea|si estás leyendo|al leer este",
  not: "no|nunca|jamás|ningún|ninguna|ninguno|tampoco|prohibido|prohibida|sin|nadie|evita|evite|ni|rechaza|en lugar de|en vez de",
  without: "sin",
  noNeed: "no hace falta|no es necesario|no necesitas|innecesario|innecesaria|no se requiere",
  if: "si|cuando|cuándo|donde|en caso|siempre que|mientras",
  only: "solo|sólo|únicamente|solamente|exclusivamente",
  unless: "salvo|excepto|hasta|a menos",
  before: "antes",
  after: "después|tras|una vez|luego",
  report:
    "ataque|ataques|atacante*|malicios*|inyección|inyecciones|intent*|ejemplo|ejemplos|por ejemplo|como por|sospechos*|detecta*|amenaza*|textos que|texto que|mensajes que|pide|piden|pida que|phishing|engañ*|afirma|afirman|finge ser|vulnerab*|riesgo|riesgos|incidente*|error|errores|lección|lecciones|manipul*",
  outside:
    "en páginas|en la página|páginas web|página web|en issues|en comentarios|comentarios|incidencias|en documentos|en correos|correos|externas|externos|terceros|contenidas|contenido|incrustad*|herramienta|herramientas|datos|archivos ajenos|linter|eslint|en windows|de esta sección|dependencias|adjuntos",
  protocol:
    "cabecera|cabeceras|json|cuerpo|bóveda|vault|gestor de contraseñas|pública|rota|rotación|formulario|iniciar sesión|inicio de sesión|marcador|cifrad*|equipo de seguridad",
};
