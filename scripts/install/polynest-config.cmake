# find_package(polynest): the program polynest::polynest, and polynest_generate, which has it emit code for a target.
#
#   polynest_generate(TARGET FILE [OUTPUT NAME] [FLAGS FLAG...] [OPTIONS OPTION...])
#
# adds the C of the description FILE to the sources of TARGET, and the folder of its header to what TARGET includes. OUTPUT
# names the emitted file (FILE with .c; a name with .cu for CUDA), FLAGS are the compiler's for it, OPTIONS are those of
# `polynest emit`, such as --variant=avx2. The code is emitted again where the description, or what it reads, changes.
cmake_minimum_required(VERSION 3.20)

get_filename_component(polynest_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(POLYNEST_EXECUTABLE polynest HINTS "${polynest_PREFIX}/bin")
set(polynest_SCHEMA "${polynest_PREFIX}/share/polynest/schema.json")
if(NOT POLYNEST_EXECUTABLE)
    set(polynest_FOUND FALSE)
    set(polynest_NOT_FOUND_MESSAGE "there is no program polynest: set POLYNEST_EXECUTABLE")
    return()
endif()
if(NOT TARGET polynest::polynest)
    add_executable(polynest::polynest IMPORTED GLOBAL)
    set_target_properties(polynest::polynest PROPERTIES IMPORTED_LOCATION "${POLYNEST_EXECUTABLE}")
endif()

function(polynest_generate target file)
    cmake_policy(SET CMP0116 NEW)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "OUTPUT" "FLAGS;OPTIONS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "polynest_generate: what is ${arg_UNPARSED_ARGUMENTS}?")
    endif()
    get_filename_component(source "${file}" ABSOLUTE)
    get_filename_component(name "${file}" NAME_WLE)
    if(NOT arg_OUTPUT)
        set(arg_OUTPUT "${name}.c")
    endif()
    get_filename_component(code "${arg_OUTPUT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
    get_filename_component(folder "${code}" DIRECTORY)
    get_filename_component(base "${code}" NAME_WLE)
    set(header "${folder}/${base}.h")
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(
        OUTPUT "${code}" "${header}"
        COMMAND polynest::polynest emit "${source}" -o "${code}" --header "${header}" -MF "${folder}/${base}.pd" ${arg_OPTIONS}
        DEPENDS "${source}" polynest::polynest
        DEPFILE "${folder}/${base}.pd"
        COMMENT "Emitting ${arg_OUTPUT} from ${file}"
        VERBATIM)
    target_sources("${target}" PRIVATE "${code}" "${header}")
    target_include_directories("${target}" PRIVATE "${folder}")
    if(arg_FLAGS)
        set_source_files_properties("${code}" PROPERTIES COMPILE_OPTIONS "${arg_FLAGS}")
    endif()
endfunction()
